/** The reading process: takes one order at a time, and answers it. */
import { answerQuestions, step } from "../../../platform/workers/worker-program.js";
import { asReadingError, isDenied } from "../../netcdf/errors.js";
import { portable } from "../errors.js";
import { isDecoding, run } from "./operations.js";
import type { Order, Results } from "./protocol.js";

answerQuestions<Order, Results[keyof Results]>(
  ({ task, time }) => run(task, { time }, step),
  (thrown, { task }) => ({
    reason: portable(asReadingError(thrown)),
    isSpoiled: isDecoding(task) || isDenied(thrown),
  }),
);
