import type { JsonValue, Properties, RubricCondition } from '@sibyl/protocol'
import { valueAt } from './json-pointer.ts'

type Operand = string | number | boolean

/** How each operator compares the value of a claim with that of the condition. */
const comparisons: Readonly<
  Record<RubricCondition['operator'], (value: JsonValue | undefined, operand: Operand | readonly Operand[]) => boolean>
> = {
  equals: (value, operand) => value === operand,
  'not-equals': (value, operand) => value !== undefined && value !== null && value !== operand,
  'at-least': (value, operand) => isNumber(value) && isNumber(operand) && value >= operand,
  'at-most': (value, operand) => isNumber(value) && isNumber(operand) && value <= operand,
  'more-than': (value, operand) => isNumber(value) && isNumber(operand) && value > operand,
  'less-than': (value, operand) => isNumber(value) && isNumber(operand) && value < operand,
  'one-of': (value, operand) => Array.isArray(operand) && operand.includes(value as Operand),
  contains: (value, operand) =>
    Array.isArray(value)
      ? value.includes(operand as Operand)
      : typeof value === 'string' && typeof operand === 'string' && value.includes(operand),
  exists: (value, operand) => (value !== undefined && value !== null) === (operand !== false),
}

const isNumber = (value: unknown): value is number => typeof value === 'number'

/** Whether a claim's data meets a condition. A value that is missing meets none but `exists` with `false`. */
export const meets = (data: Properties, { path, operator, value = true }: RubricCondition): boolean =>
  comparisons[operator](valueAt(data as JsonValue, path), value)
