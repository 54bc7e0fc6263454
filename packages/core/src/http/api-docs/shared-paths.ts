import type { ApiOperation, ApiParameter } from './api-document.ts'
import type { PathTemplate } from './path-template.ts'

/** The paths of the document; paths that differ in the names of their parameters alone are one. */
export class SharedPaths {
  readonly #templates = new Map<string, PathTemplate>()
  readonly #paths = new Map<string, Map<string, ApiOperation>>()

  /** The path that a route stands under, and its parameters under the names that the path has. */
  of(template: PathTemplate): {
    readonly path: string
    rename(operation: { parameters?: ApiParameter[] }): { parameters?: ApiParameter[] }
  } {
    const shape = template.path.replace(/\{\w+\}/g, '{}')
    const first = this.#templates.get(shape) ?? template
    this.#templates.set(shape, first)
    const names = new Map(template.parameters.map(({ name }, index) => [name, first.parameters[index]!.name]))
    return {
      path: first.path,
      rename: ({ parameters }) =>
        parameters === undefined
          ? {}
          : { parameters: parameters.map(one => (one.in === 'path' ? { ...one, name: names.get(one.name)! } : one)) },
    }
  }

  /** Puts an operation in its place; false when there is one already. */
  add(path: string, method: string, operation: ApiOperation): boolean {
    const operations = this.#paths.get(path) ?? new Map<string, ApiOperation>()
    this.#paths.set(path, operations)
    if (operations.has(method)) return false
    operations.set(method, operation)
    return true
  }

  /** All operations by path and method, in the order they came. */
  all(): Record<string, Record<string, ApiOperation>> {
    return Object.fromEntries([...this.#paths].map(([path, operations]) => [path, Object.fromEntries(operations)]))
  }
}
