/**
 * Runs work on all items, some at once. The first error ends it: no further item is begun.
 *
 * @param together items at once
 * @throws the first error
 */
export async function eachOf<T>(
  items: readonly T[],
  together: number,
  work: (item: T, index: number) => Promise<void>,
): Promise<void> {
  const entries = items.entries();
  let hasFailed = false;
  const worker = async (): Promise<void> => {
    for (const [index, item] of entries) {
      if (hasFailed) return;
      await work(item, index).catch((error: unknown) => {
        hasFailed = true;
        throw error;
      });
    }
  };
  await Promise.all(Array.from({ length: together }, worker));
}
