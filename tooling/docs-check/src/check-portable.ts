/** Patterns that bind a file to one computer or network, with a message, and the files in which they are content. */
const bonds: readonly { readonly pattern: RegExp; readonly what: string; readonly fineInTests?: boolean }[] = [
  { pattern: /(?<![\w.~@:/-])\/(?:work|root|tmp|mnt|private)\/[\w.-]/, what: 'an absolute path of one computer' },
  { pattern: /(?<![\w.~@:/-])\/(?:home|Users)\/[\w.-]/, what: 'the home folder of a user', fineInTests: true },
  { pattern: /[a-z]:\\{1,2}users\\/i, what: 'the home folder of a user', fineInTests: true },
  {
    pattern: /\bhttps?:\/\/[^\s/'"]*(?:registry|npmjs|npmmirror|artifactory|nexus|verdaccio)[^\s'"]*/i,
    what: 'the address of a registry',
  },
  { pattern: /^\s*(?:@[\w-]+:)?registry\s*=/, what: 'the address of a registry' },
]

/**
 * Checks that a file is portable: no absolute paths, no package registries.
 *
 * @returns `docs/a.md:3 has ...`, one per error.
 */
export const checkPortable = (file: string, text: string): string[] => {
  const isTest = /\.test\.ts$/.test(file)
  const checked = bonds.filter(({ fineInTests }) => !(isTest && fineInTests))
  return text
    .split('\n')
    .flatMap((line, index) =>
      checked.filter(({ pattern }) => pattern.test(line)).map(({ what }) => `${file}:${index + 1} has ${what}.`),
    )
}
