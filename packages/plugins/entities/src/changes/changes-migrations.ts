import type { Migrations } from '@sibyl/core/storage'

/** The tables of this room, under `0006-…`. */
export const changesMigrations: Migrations = {}
