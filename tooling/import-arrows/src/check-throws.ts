import type { Violation } from './violation.ts'

/**
 * Returns the names in the `@throws` of docstrings that are not those of an error class.
 *
 * @param declared The classes of all sources, as `findClasses` returns them.
 */
export const checkThrows = (file: string, text: string, declared: ReadonlySet<string>): Violation[] =>
  [...text.matchAll(/@throws ([\s\S]*?)(?=\*\/|\n\s*\*\s*@|\n\s*\*\s*\n)/g)].flatMap(({ 1: block = '', index }) =>
    [...block.replace(/`[^`]*`/g, '').matchAll(className)]
      .map(([name]) => name)
      .filter(name => !declared.has(name) && !Object.hasOwn(globalThis, name))
      .map(name => ({
        file,
        line: text.slice(0, index).split('\n').length,
        message: `documents that it throws '${name}', which is not a class. Name the class or the code of the error.`,
      })),
  )

/** Finds the names of the classes that a module declares, or imports by name. */
export const findClasses = (text: string): string[] => [
  ...[...text.matchAll(/\bclass (\w+)/g)].map(([, name = '']) => name),
  ...[...text.matchAll(/\bimport \{([^}]*)\} from '[^.]/g)].flatMap(([, names = '']) => names.match(className) ?? []),
]

/** Two words in upper camel case, or one that ends in `Error` or begins the text, as error classes are named. */
const className = /\b(?:[A-Z][a-z]+(?:[A-Z][a-z]+)+|[A-Z]\w*Error|Error)\b|^(?!The\b)[A-Z]\w+/g
