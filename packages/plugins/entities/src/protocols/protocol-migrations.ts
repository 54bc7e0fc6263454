import type { Migrations } from '@sibyl/core/storage'

/** The tables of this room, under `0004-…`. */
export const protocolMigrations: Migrations = {}
