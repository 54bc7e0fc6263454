import type { PluginNames } from './plugin-names.ts'

/** The two lines by which `main.ts` takes a plugin along. */
export const registrationOf = ({
  name,
  maker,
}: PluginNames): { readonly importLine: string; readonly call: string } => ({
  importLine: `import { ${maker} } from './plugins/${name}.ts'`,
  call: `${maker}()`,
})

/**
 * Adds a plugin to the text of a `main.ts`: its import behind the last one, its call at the end of the one line
 * `plugins: [...]`.
 *
 * @returns undefined where the text has another form
 */
export const registerPlugin = (text: string, names: PluginNames): string | undefined => {
  const { importLine, call } = registrationOf(names)
  const lastImport = [...text.matchAll(/^import [^;\n]*from '[^'\n]+';?$/gm)].at(-1)
  const lists = [...text.matchAll(/\bplugins: \[/g)]
  const [list] = lists
  if (!lastImport || !list || lists.length > 1) return undefined
  const end = endOfList(text, list.index + list[0].length)
  if (end === undefined || lastImport.index > list.index) return undefined
  const behindImport = lastImport.index + lastImport[0].length
  const before = text.slice(list.index + list[0].length, end).trim()
  const comma = before === '' || before.endsWith(',') ? '' : ','
  const space = before === '' ? '' : ' '
  const semicolon = lastImport[0].endsWith(';') ? ';' : ''
  return `${text.slice(0, behindImport)}\n${importLine}${semicolon}${text.slice(behindImport, end).trimEnd()}${comma}${space}${call}${text.slice(end)}`
}

/** Where a list ends that begins before `start`, all on its line and without texts or comments in it. */
const endOfList = (text: string, start: number): number | undefined => {
  const line = text.slice(start).split('\n', 1)[0] ?? ''
  if (/['"`]|\/[/*]/.test(line.slice(0, line.lastIndexOf(']')))) return undefined
  let depth = 0
  for (const [index, character] of [...line].entries()) {
    if (character === ']' && depth === 0) return start + index
    if ('([{'.includes(character)) depth += 1
    if (')]}'.includes(character)) depth -= 1
  }
  return undefined
}
