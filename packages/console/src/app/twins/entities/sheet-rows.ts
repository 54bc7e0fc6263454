import type { JsonObject, JsonValue } from '@sibyl/protocol'
import type { FormField } from '../../components/form-fields.ts'

/** A column of a table that a field of the form reads. */
export interface SheetColumn {
  /** Its heading: `serial`, or `address.town` for a member of a group. */
  readonly name: string
  readonly path: readonly string[]
  readonly field: FormField
}

/** An error of a row, as the messages name it. */
export interface RowIssue {
  readonly column: string
  readonly rule: 'required' | 'number' | 'minimum' | 'maximum' | 'boolean' | 'choice' | 'date' | 'json' | 'duplicate'
  /** The limit, the values that are possible, or the other row. */
  readonly detail?: string
}

/** A row that was read: what to register, or why that is not possible. */
export interface ReadRow {
  readonly body: JsonObject
  readonly issues: readonly RowIssue[]
}

/** Returns the columns of the form of an entity: those of its properties have no prefix. */
export const columnsOf = (fields: readonly FormField[], path: readonly string[] = []): readonly SheetColumn[] =>
  fields.flatMap(field => {
    const own = [...path, field.name]
    if (field.kind === 'group') return columnsOf(field.fields, own)
    return [{ name: (own[0] === 'properties' ? own.slice(1) : own).join('.'), path: own, field }]
  })

/** Members of an exported record that are not registered, and columns of the file with the rejected rows. */
const notRegistered: ReadonlySet<string> = new Set([
  ...['did', 'status', 'domainclass', 'controller', 'protocol', 'version', 'createdat', 'updatedat'],
  ...['_row', '_error'],
])

/** Assigns columns to the headings of a table. The first column of a name counts; others are ignored. */
export const readHeader = (
  header: readonly string[],
  { columns, isOpen }: { readonly columns: readonly SheetColumn[]; readonly isOpen: boolean },
) => {
  const known = new Map(columns.map(column => [column.name.toLowerCase(), column]))
  const names = new Set<string>()
  const matched = header.map(text => {
    const name = text.trim()
    const key = name.toLowerCase()
    const isTaken = names.has(key)
    names.add(key)
    if (isTaken || name === '') return undefined
    const column = known.get(key)
    if (column || !isOpen || notRegistered.has(key) || key.startsWith('relationships.')) return column
    return { name, path: ['properties', name], field: { ...plainText, name, label: name } }
  })
  return {
    matched,
    missing: columns.filter(({ name, field }) => field.isRequired && !names.has(name.toLowerCase())),
    ignored: header.filter((text, index) => text.trim() !== '' && !matched[index]),
  }
}

const plainText: FormField = {
  name: '',
  label: '',
  description: undefined,
  kind: 'text',
  options: [],
  fields: [],
  isRequired: false,
  initial: undefined,
  unit: undefined,
  minimum: undefined,
  maximum: undefined,
}

/** Creates the reader of the rows of a table; the same content twice is an error of the second row. */
export const createRowReader = (
  matched: readonly (SheetColumn | undefined)[],
  missing: readonly SheetColumn[],
  { defaults, constants }: { readonly defaults: Readonly<Record<string, string>>; readonly constants: JsonObject },
): ((cells: readonly string[], row: number) => ReadRow) => {
  const seen = new Map<string, number>()
  return (cells, row) => {
    const values: JsonObject = { ...constants }
    const issues: RowIssue[] = []
    const read = (column: SheetColumn, text: string) => {
      const { field, name, path } = column
      if (text === '') {
        if (field.isRequired) issues.push({ column: name, rule: 'required' })
        return
      }
      const value = readCell(field, text)
      if (isIssue(value)) issues.push({ column: name, ...value })
      else setAt(values, path, value.is)
    }
    for (const column of missing) read(column, defaults[column.name] ?? '')
    for (const [index, column] of matched.entries()) {
      if (column) read(column, unguarded(cells[index] ?? '').trim() || (defaults[column.name] ?? ''))
    }
    const text = JSON.stringify(values)
    const other = seen.get(text)
    if (other === undefined) seen.set(text, row)
    else if (issues.length === 0) issues.push({ column: '', rule: 'duplicate', detail: String(other) })
    return { body: values, issues }
  }
}

/** Removes the apostrophe that exports write before what a spreadsheet would calculate. */
const unguarded = (text: string): string => (/^'[=+\-@\t\r]/.test(text) ? text.slice(1) : text)

type Found = { readonly is: JsonValue } | Omit<RowIssue, 'column'>

const isIssue = (found: Found): found is Omit<RowIssue, 'column'> => 'rule' in found

const booleans: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  1: true,
  false: false,
  no: false,
  0: false,
}

const readCell = ({ kind, options, minimum, maximum }: FormField, text: string): Found => {
  switch (kind) {
    case 'number': {
      const number = Number(text)
      if (!Number.isFinite(number)) return { rule: 'number' }
      if (minimum !== undefined && number < minimum) return { rule: 'minimum', detail: String(minimum) }
      if (maximum !== undefined && number > maximum) return { rule: 'maximum', detail: String(maximum) }
      return { is: number }
    }
    case 'boolean': {
      const value = booleans[text.toLowerCase()]
      return value === undefined ? { rule: 'boolean' } : { is: value }
    }
    case 'choice': {
      const option = options.find(({ value, label }) => value === text || label === text)
      return option ? { is: option.value } : { rule: 'choice', detail: options.map(({ value }) => value).join(', ') }
    }
    case 'date':
      return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) ? { is: text } : { rule: 'date' }
    case 'json':
      try {
        return { is: JSON.parse(text) as JsonValue }
      } catch {
        return { rule: 'json' }
      }
    default:
      return { is: text }
  }
}

const setAt = (values: JsonObject, [name = '', ...rest]: readonly string[], value: JsonValue): void => {
  if (rest.length === 0) {
    Object.defineProperty(values, name, { value, enumerable: true, configurable: true, writable: true })
    return
  }
  const inner = Object.hasOwn(values, name) ? values[name] : {}
  setAt(values, [name], inner ?? {})
  setAt(inner as JsonObject, rest, value)
}
