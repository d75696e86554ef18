/** Charges requests to clients. */
import { OPERATIONS } from "../../../../generated/operations.js";
import { network } from "../../../identity/sign-in/network.js";
import type { Admit } from "../../contract/mount.js";
import type { Limits } from "../../limits/limits.js";
import { callingOwner } from "../user-data/calling-owner.js";

/** Charges each request to its client. */
export const admission =
  (limits: Limits): Admit =>
  (context, caller) => {
    const { principal, operation } = context;
    const account = principal && callingOwner({ principal, caller }).id;
    return limits.admit(
      context,
      { account, network: network(caller.address) },
      // The answer grows with what it finds.
      operation !== undefined && OPERATIONS[operation].kind !== "answer",
    );
  };
