/** Replaces the version in a plugin's definition and in the constants that repeat the version of the packages. */
export const replaceVersions = (text, before, after) =>
  text
    .replaceAll(`version: '${before}'`, `version: '${after}'`)
    .replaceAll(`core: '^${before}'`, `core: '^${after}'`)
    .replaceAll(`coreVersion = '${before}'`, `coreVersion = '${after}'`)

/** Moves the text under Unreleased of a changelog into a section of the version, after the summaries of the changesets. */
export const releaseSection = (changelog, summaries, version, day) => {
  const [before, rest = ''] = changelog.split('## Unreleased\n')
  if (!changelog.includes('## Unreleased\n')) throw new Error('CHANGELOG.md has no section Unreleased. Add it.')
  const lines = summaries.map(summary => `- ${summary.replaceAll('\n', '\n  ')}`).join('\n')
  return `${before}## Unreleased\n\n## ${version} (${day})\n\n${lines}\n${rest}`
}
