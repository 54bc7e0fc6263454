/** What ties a file to one computer or network, how a reader is told, and where it is content after all. */
const bonds: readonly { readonly pattern: RegExp; readonly what: string; readonly fineInTests?: boolean }[] = [
  { pattern: /(?<![\w.~@:/-])\/(?:work|root|tmp|mnt|private)\/[\w.-]/, what: 'an absolute path of one computer' },
  { pattern: /(?<![\w.~@:/-])\/(?:home|Users)\/[\w.-]/, what: 'a home of somebody', fineInTests: true },
  { pattern: /[a-z]:\\{1,2}users\\/i, what: 'a home of somebody', fineInTests: true },
  {
    pattern: /\bhttps?:\/\/[^\s/'"]*(?:registry|npmjs|npmmirror|artifactory|nexus|verdaccio)[^\s'"]*/i,
    what: 'the address of a registry',
  },
  { pattern: /^\s*(?:@[\w-]+:)?registry\s*=/, what: 'the address of a registry' },
]

/**
 * Checks that a file would do on any computer: no absolute paths, no package registries.
 *
 * @returns `docs/a.md:3 has ...`, one a fault.
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
