/** Number of concurrent requests. */
export const atOnce = 16

/** Does something for each of a list, some at a time. */
export const someAtATime = async <One>(list: readonly One[], work: (one: One) => Promise<void>): Promise<void> => {
  const left = list.values()
  const worker = async () => {
    for (const one of left) await work(one)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}
