import { basename } from 'node:path'

const longest = 100

/**
 * A name that every package manager takes, from that of the project's folder: `Ärzte & Wetter` gives `arzte-wetter`.
 *
 * @param taken Names that would lead to the project itself: those of its dependencies.
 */
export const packageName = (folder: string, taken: readonly string[]): string => {
  const name = basename(folder)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replaceAll('ß', 'ss')
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[._-]+/, '')
    .slice(0, longest)
    .replace(/[._-]+$/, '')
  if (name === '') return 'oracle'
  return [...taken, 'node_modules', 'favicon.ico'].includes(name) ? `${name}-oracle` : name
}
