import { isObject } from '../../api/is-object.ts'
import type { Schema } from '../../components/form-fields.ts'

/** Returns the rules of a protocol as the JSON Schema of an object. A rule is `string`, or an object with its `type`. */
export const schemaOfRules = (rules: unknown): Schema => {
  const members = Object.entries(isObject(rules) ? rules : {}).map(([name, rule]): [string, Schema] => [
    name,
    isObject(rule) ? rule : { type: rule },
  ])
  return {
    type: 'object',
    required: members.filter(([, { required }]) => required === true).map(([name]) => name),
    properties: Object.fromEntries(
      members.map(([name, { properties, required: _, ...rule }]) => [
        name,
        isObject(properties) ? { ...rule, ...schemaOfRules(properties) } : rule,
      ]),
    ),
  }
}
