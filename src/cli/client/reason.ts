/** Why a request came to nothing, in a word or some: a code of the system, where there is one. */
export function reasonOf(error: unknown): string {
  const { cause, name } = error as Error & { cause?: { code?: string; message?: string } };
  return cause?.code ?? cause?.message ?? name;
}
