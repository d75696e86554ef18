/** Certificates for tests: an authority, and what it signs. */
import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { freshFolder } from "../run/folders.js";

const execute = promisify(execFile);

export interface Certificate {
  /** Paths of PEM files. */
  readonly certificate: string;
  readonly key: string;
}

export interface Authority extends Certificate {
  /** The certificate itself, in PEM. */
  readonly pem: string;
  /** Signs a certificate for names and for the loopback address. @param days below zero: it has ended already */
  sign(name: string, days?: number): Promise<Certificate>;
}

/** Makes an authority of its own in a new folder. */
export async function makeAuthority(): Promise<Authority> {
  const folder = freshFolder();
  const openssl = (...words: string[]) => execute("openssl", words, { cwd: folder });
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  await openssl(
    "req",
    "-x509",
    ...key,
    "-keyout",
    "ca.key",
    "-out",
    "ca.pem",
    "-days",
    "2",
    "-subj",
    "/CN=authority of a test",
    "-addext",
    "keyUsage=critical,keyCertSign,cRLSign",
  );
  const at = (name: string): string => join(folder, name);
  let made = 0;
  return {
    certificate: at("ca.pem"),
    key: at("ca.key"),
    pem: await readFile(at("ca.pem"), "utf8"),
    sign: async (name, days = 1) => {
      made += 1;
      const [request, signed, secret] = ["csr", "pem", "key"].map((kind) => `${made}.${kind}`) as [
        string,
        string,
        string,
      ];
      await openssl("req", ...key, "-keyout", secret, "-out", request, "-subj", `/CN=${name}`);
      const names = `subjectAltName=DNS:${name},DNS:localhost,IP:127.0.0.1`;
      await writeFile(at(`${made}.ext`), names);
      await openssl(
        "x509",
        "-req",
        "-in",
        request,
        "-CA",
        "ca.pem",
        "-CAkey",
        "ca.key",
        "-out",
        signed,
        "-CAcreateserial",
        "-days",
        String(days),
        "-extfile",
        `${made}.ext`,
      );
      return { certificate: at(signed), key: at(secret) };
    },
  };
}
