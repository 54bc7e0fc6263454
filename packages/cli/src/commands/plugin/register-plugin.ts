import type { PluginNames } from './plugin-names.ts'

/** The two lines by which `main.ts` takes a plugin along. */
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
 * Adds a plugin to the text of a `main.ts`: its import behind the last one, its call at the end of the list
 * `plugins: [...]`, both in the style of the file.
 *
 * @returns undefined where the text has another form
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

/** Returns what stands in a list, with one more: on a line of its own where the others have theirs. */
const appended = (inner: string, call: string, newLine: string): string => {
  const items = inner.trimEnd()
  const rest = inner.slice(items.length)
  if (items.trim() === '') return `${call}${rest}`
  const comma = items.endsWith(',') ? '' : ','
  const [, indent] = /\n([ \t]*)[^\n]*$/.exec(items) ?? []
  if (indent === undefined || !rest.includes('\n')) return `${items}${comma} ${call}${rest}`
  return `${items}${comma}${newLine}${indent}${call},${rest}`
}

/** Returns where a list ends that begins before `start`, without texts or comments in it. */
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
