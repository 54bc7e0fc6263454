import type { ApiOperation, ApiParameter } from './api-document.ts'
import type { PathTemplate } from './path-template.ts'

/** The paths of the document; paths that differ only in parameter names are one. */
export class SharedPaths {
  readonly #templates = new Map<string, PathTemplate>()
  readonly #paths = new Map<string, Map<string, ApiOperation>>()

  /** Returns the path of a route in the document, and its parameters under the names of that path. */
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

  /** Adds an operation; false if there is one already. */
  add(path: string, method: string, operation: ApiOperation): boolean {
    const operations = this.#paths.get(path) ?? new Map<string, ApiOperation>()
    this.#paths.set(path, operations)
    if (operations.has(method)) return false
    operations.set(method, operation)
    return true
  }

  /** Returns all operations by path and method, in order. */
  all(): Record<string, Record<string, ApiOperation>> {
    return Object.fromEntries([...this.#paths].map(([path, operations]) => [path, Object.fromEntries(operations)]))
  }
}
