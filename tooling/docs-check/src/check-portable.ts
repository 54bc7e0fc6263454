/** What ties a file to one computer or network, and how a reader is told. */
const bonds: readonly [RegExp, string][] = [
  [/(?<![\w.~@:/-])\/(?:work|root|home|tmp|mnt|Users|private)\/[\w.-]/, 'an absolute path of one computer'],
  [/[a-z]:\\\\?users\\/i, 'an absolute path of one computer'],
  [
    /\bhttps?:\/\/[^\s/'"]*(?:registry|npmjs|npmmirror|artifactory|nexus|verdaccio)[^\s'"]*/i,
    'the address of a registry',
  ],
  [/^\s*(?:@[\w-]+:)?registry\s*=/m, 'the address of a registry'],
]

/**
 * Checks that a file would do on any computer: no absolute paths, no package registries.
 *
 * @returns `docs/a.md:3 has ...`, one a fault.
 */
export const checkPortable = (file: string, text: string): string[] =>
  text
    .split('\n')
    .flatMap((line, index) =>
      bonds.filter(([bond]) => bond.test(line)).map(([, what]) => `${file}:${index + 1} has ${what}.`),
    )
