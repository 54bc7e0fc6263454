import pg from 'pg'
import { SimulatedClient } from './simulated-client.ts'
import type { SimulatedPostgres } from './simulated-postgres.ts'
import type { World } from './world.ts'

/**
 * Connects the driver of PostgreSQL to a simulated server; the pool is that of pg.
 *
 * @returns what takes it back
 */
export const connectDriver = (world: World, server: SimulatedPostgres): (() => void) => {
  const { Client, Pool } = pg
  const Simulated = class extends SimulatedClient {
    constructor() {
      super(world, server)
    }
  } as unknown as typeof Client
  pg.Client = Simulated
  pg.Pool = class extends Pool {
    constructor(options: object) {
      super({ ...options, Client: Simulated } as never)
    }
  } as typeof Pool
  return () => {
    pg.Client = Client
    pg.Pool = Pool
  }
}
