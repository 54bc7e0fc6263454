import type { PluginNames } from './plugin-names.ts'

/** The two lines of a plugin in `main.ts`. */
export const registrationOf = ({
  name,
  maker,
}: PluginNames): { readonly importLine: string; readonly call: string } => ({
  importLine: `import { ${maker} } from './plugins/${name}.ts'`,
  call: `${maker}()`,
})

/** An import of one line, or the last line of a longer one. */
const importEnd = /^(?:import [^;\n]*|\} )from (?<quote>['"])[^'"\n]+\k<quote>(?<semicolon>;?)(?=\r?$)/gm

/**
 * Adds a plugin to the text of a `main.ts`: its import after the last one, and its call at the end of the list
 * `plugins: [...]`, in the style of the file.
 *
 * @returns undefined if the text has another structure
 */
export const registerPlugin = (text: string, names: PluginNames): string | undefined => {
  const { importLine, call } = registrationOf(names)
  const lastImport = [...text.matchAll(importEnd)].at(-1)
  const lists = [...text.matchAll(/\bplugins: \[/g)]
  const [list] = lists
  if (!lastImport || !list || lists.length > 1 || lastImport.index > list.index) return undefined
  const start = list.index + list[0].length
  const end = endOfList(text, start)
  const behindImport = lastImport.index + lastImport[0].length
  if (end === undefined || isInComment(text, behindImport)) return undefined
  const { quote = '', semicolon = '' } = lastImport.groups ?? {}
  const newLine = text.includes('\r\n') ? '\r\n' : '\n'
  const added = `${newLine}${importLine.replaceAll("'", quote)}${semicolon}`
  return [
    text.slice(0, behindImport),
    added,
    text.slice(behindImport, start),
    appended(text.slice(start, end), call, newLine),
    text.slice(end),
  ].join('')
}

/** Returns the content of a list with one more item, on its own line if the others have theirs. */
const appended = (inner: string, call: string, newLine: string): string => {
  const items = inner.trimEnd()
  const rest = inner.slice(items.length)
  if (items.trim() === '') return `${call}${rest}`
  const comma = items.endsWith(',') ? '' : ','
  const [, indent] = /\n([ \t]*)[^\n]*$/.exec(items) ?? []
  if (indent === undefined || !rest.includes('\n')) return `${items}${comma} ${call}${rest}`
  return `${items}${comma}${newLine}${indent}${call},${rest}`
}

/** Returns the end of a list that starts before `start`; strings and comments are skipped. */
const endOfList = (text: string, start: number): number | undefined => {
  let depth = 0
  for (let index = start; index < text.length; index += 1) {
    const character = text.charAt(index)
    if ('\'"`/'.includes(character)) return undefined
    if (character === ']' && depth === 0) return index
    if ('([{'.includes(character)) depth += 1
    if (')]}'.includes(character)) depth -= 1
  }
  return undefined
}

const isInComment = (text: string, index: number): boolean =>
  text.lastIndexOf('/*', index) > text.lastIndexOf('*/', index)
