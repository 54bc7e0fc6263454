import { type ParsedModule, parseModule } from './parse-module.ts'

/** A parsed module without its tree. */
export type ModuleFacts = Omit<ParsedModule, 'tree'>

/** Reads the facts of a module, as `parseModule` does. */
export type Parser = (text: string, file: string) => ModuleFacts

/** Creates a parser that parses each text once. It keeps no trees, which take a hundred times the memory of the text. */
export const createParser = (): Parser => {
  const parsed = new Map<string, ModuleFacts>()
  return (text, file) => {
    const known = parsed.get(text)
    if (known) return known
    const { tree: _, ...facts } = parseModule(text, file)
    parsed.set(text, facts)
    return facts
  }
}
