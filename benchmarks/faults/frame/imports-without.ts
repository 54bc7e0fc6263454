const hook = new URL('remove-defence.ts', import.meta.url).href

/** Returns the options of Node that remove defences from a process. */
export const importsWithout = (names: readonly string[]): string[] =>
  names.flatMap(name => ['--import', `${hook}?name=${name}`])
