import { vendored } from './render-manifest.ts'

/** Matches an override of a packed package in a `pnpm-workspace.yaml`: its name, and its file. */
export const workspaceLine = /^ {2}"(@sibyl\/[\w-]+)": "(file:[^"]+)"\n/gm

/** Replaces the overrides of packed packages in a `pnpm-workspace.yaml`; other lines stay. */
export const editWorkspace = (text: string, packages: ReadonlyMap<string, { readonly fileName: string }>): string => {
  const lines = [...packages]
    .map(([name, { fileName }]) => `  "${name}": "${vendored(fileName)}"\n`)
    .toSorted()
    .join('')
  const others = text.replaceAll(workspaceLine, '')
  return others.includes('overrides:\n')
    ? others.replace('overrides:\n', () => `overrides:\n${lines}`)
    : `overrides:\n${lines}${others}`
}
