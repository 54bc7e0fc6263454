import type { ApiSchema } from './api-document.ts'
import { mapObjects, schemaPath } from './map-json.ts'

/** The named schemas of routes; two different schemas with one name both stay. */
export class SchemaNames {
  readonly #added = new Map<string, ApiSchema>()
  /** The assigned names, by owner, original name and schema. */
  readonly #given = new Map<string, string>()
  readonly #taken: Set<string>

  /** @param taken Names that the document already has. */
  constructor(taken: readonly string[]) {
    this.#taken = new Set(taken)
  }

  /**
   * Adds the schemas of a route.
   *
   * @param value Refers to the schemas by their original names.
   * @returns the value, with the names of the document
   */
  add<Value>(owner: string, value: Value, schemas: Readonly<Record<string, ApiSchema>>): Value {
    const names = new Map(Object.entries(schemas).map(([name, schema]) => [name, this.#nameFor(owner, name, schema)]))
    const renamed = <One>(one: One): One =>
      mapObjects(one, object => {
        const name = typeof object.$ref === 'string' ? names.get(object.$ref.slice(schemaPath('').length)) : undefined
        return name === undefined ? object : { ...object, $ref: schemaPath(name) }
      })
    for (const [name, schema] of Object.entries(schemas)) this.#added.set(names.get(name)!, renamed(schema))
    return renamed(value)
  }

  /** Returns the added schemas, by their names in the document. */
  added(): Record<string, ApiSchema> {
    return Object.fromEntries(this.#added)
  }

  #nameFor(owner: string, name: string, schema: ApiSchema): string {
    const key = JSON.stringify([owner, name, schema])
    const given = this.#given.get(key)
    if (given !== undefined) return given
    const plain = name.replace(/[^\w.-]/g, '_')
    const candidates = [plain, `${owner}.${plain}`]
    for (let count = 2; candidates.every(one => this.#taken.has(one)); count += 1) {
      candidates.push(`${owner}.${plain}.${count}`)
    }
    const free = candidates.find(one => !this.#taken.has(one))!
    this.#given.set(key, free)
    this.#taken.add(free)
    return free
  }
}
