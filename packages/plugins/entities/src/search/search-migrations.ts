import type { Migrations } from '@sibyl/core/storage'

/** The tables of this room, under `0007-…`. */
export const searchMigrations: Migrations = {}
