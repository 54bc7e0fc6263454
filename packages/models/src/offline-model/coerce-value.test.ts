import { describe, expect, it } from 'vitest'
import { coerceValue } from './coerce-value.ts'
import type { JsonSchema } from './offline-catalog.ts'

const choice: JsonSchema = { enum: ['celsius', 'degrees_fahrenheit', 7, null] }

describe('coerceValue', () => {
  it.each<[string, JsonSchema | boolean | undefined, unknown]>([
    ['3', { type: 'integer' }, 3],
    ['three', { type: 'integer' }, 3],
    ['Twenty-One', { type: 'number' }, 21],
    ['two hundred', { type: 'number' }, 200],
    ['a dozen', { type: 'integer' }, 12],
    ['about 3 days', { type: 'integer' }, 3],
    ['-1,000.5', { type: 'number' }, -1000.5],
    ['$ 20', { type: 'number' }, 20],
    ['Yes', { type: 'boolean' }, true],
    ['off', { type: 'boolean' }, false],
    ['CELSIUS', choice, 'celsius'],
    ['degrees Fahrenheit', choice, 'degrees_fahrenheit'],
    ['7', choice, 7],
    ['b', { const: 'B' }, 'B'],
    ['a, b and c', { type: 'array', items: { type: 'string' } }, ['a', 'b', 'c']],
    ['1; two', { type: 'array', items: { type: 'integer' } }, [1, 2]],
    ['5', { anyOf: [{ type: 'null' }, { type: 'integer' }, { type: 'string' }] }, 5],
    ['five euro', { type: ['string', 'integer'] }, 5],
    ['x', { type: ['string', 'null'] }, 'x'],
    ['{"a":1}', { type: 'object' }, { a: 1 }],
    ['as it is', { type: 'string' }, 'as it is'],
    ['as it is', {}, 'as it is'],
    ['as it is', true, 'as it is'],
    ['as it is', undefined, 'as it is'],
  ])('reads %j by %j', (text, schema, value) => {
    expect(coerceValue(text, schema)).toEqual({ value })
  })

  it.each<[string, JsonSchema, string]>([
    ['many', { type: 'integer' }, 'a whole number'],
    ['1 or 2', { type: 'integer' }, 'a whole number'],
    ['1.5', { type: 'integer', minimum: 1, maximum: 16 }, 'a whole number from 1 up to 16'],
    ['17', { type: 'integer', maximum: 16 }, 'a whole number up to 16'],
    ['9'.repeat(400), { type: 'number' }, 'a number'],
    ['perhaps', { type: 'boolean' }, 'yes or no'],
    ['kelvin', choice, 'one of celsius, degrees_fahrenheit, 7, null'],
    ['a, 2', { type: 'array', items: { type: 'integer' } }, 'a list, each a whole number'],
    [',;', { type: 'array' }, 'a list'],
    ['x', { type: 'object' }, 'a JSON object'],
    ['[1]', { type: 'object' }, 'a JSON object'],
    ['x', { type: 'null' }, 'nothing'],
  ])('refuses %j by %j', (text, schema, expected) => {
    expect(coerceValue(text, schema)).toEqual({ expected })
  })
})
