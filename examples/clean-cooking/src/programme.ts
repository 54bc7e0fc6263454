import type { ClaimCreation, CollectionCreation } from '@sibyl/plugin-claims/records'
import type { EntityCreation } from '@sibyl/plugin-entities/records'

/**
 * The protocol of every stove of the programme: its properties, the claims of its owner, and the rubric of the claims.
 */
export const stoveProtocol: EntityCreation = {
  type: 'Protocol',
  domainClass: 'Physical Twins',
  properties: {
    name: 'string',
    serial: { type: 'string', required: true, maxLength: 40 },
    fuel: { type: 'string', enum: ['pellets', 'ethanol', 'electricity'] },
    watts: { type: 'number', minimum: 0, maximum: 10_000 },
    village: 'string',
  },
  relationships: { operator: 'OrganisationEntity', verifier: 'OracleEntity' },
  claim: {
    properties: {
      week: { type: 'string', required: true },
      hours: { type: 'number', required: true, minimum: 0, maximum: 168 },
      fuelKg: { type: 'number', minimum: 0 },
    },
    rubric: [
      {
        id: 'used',
        path: '/hours',
        operator: 'at-least',
        value: 3,
        reason: 'The stove was lit for less than 3 hours.',
      },
    ],
  },
}

/** A stove as a field worker types it in. */
export const stove = {
  type: 'CleanCookingDevice',
  properties: { name: 'Stove A-17', serial: 'A-17', fuel: 'pellets', watts: 1800, village: 'Chongwe' },
} satisfies EntityCreation

/** The claims of one season; the controller of a stove makes them. */
export const season: Omit<CollectionCreation, 'protocol' | 'verifier'> = {
  title: 'Season 2026',
  quota: { all: 10_000, perAsset: 52 },
  submitters: 'controllers',
  evaluation: 'rules',
  credentialType: 'CleanCookingCredential',
}

/** The report of the owner of the stove for one week. */
export const week: Omit<ClaimCreation, 'collection' | 'asset'> = {
  type: 'usage',
  data: { week: '2026-W46', hours: 19.5, fuelKg: 11.2 },
  evidence: [
    {
      hash: 'sha256:8a1d0c8b2f4c5e7096b3d2a1f0e9c8b7a6958473625140fedcba98765432100f',
      mediaType: 'text/csv',
      name: 'readings of the stove',
    },
  ],
}
