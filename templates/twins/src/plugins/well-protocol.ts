import type { EntityCreation } from '@sibyl/plugin-entities/records'

/** The protocol of every well: its properties, its claims, and the rubric of the claims. */
export const wellProtocol: EntityCreation = {
  type: 'Protocol',
  domainClass: 'Physical Twins',
  properties: {
    name: { type: 'string', required: true, maxLength: 80 },
    village: { type: 'string', required: true, maxLength: 80 },
    metres: { type: 'number', minimum: 1, maximum: 500 },
  },
  claim: {
    properties: { week: { type: 'string', required: true }, litres: { type: 'number', required: true, minimum: 0 } },
    rubric: [
      { id: 'used', path: '/litres', operator: 'at-least', value: 100, reason: 'Less than 100 litres were drawn.' },
    ],
  },
}
