/** The result of work, or of `late` if the work takes longer. The work goes on; its later result or error is dropped. */
export async function inTime<T, L>(
  work: Promise<T>,
  milliseconds: number,
  late: () => L,
): Promise<T | L> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  try {
    return await Promise.race([work, timeout.then(late)]);
  } finally {
    clearTimeout(timer);
  }
}
