import { openStorage, type Storage } from '@sibyl/storage'
import { type OracleProcess, type OracleProcessOptions, startOracle } from './start-oracle.ts'

/** Starts an oracle for its tables, stops it, writes rows to them, and starts it again. */
export const startFilled = async <Tables>(
  url: string,
  fill: (storage: Storage<Tables>) => Promise<void>,
  options: OracleProcessOptions,
): Promise<OracleProcess> => {
  const started = () => startOracle({ ...options, env: { ...options.env, DATABASE_URL: url } })
  await (await started()).end('SIGKILL')
  const storage = await openStorage<Tables>({ url })
  await fill(storage)
  await storage.close()
  return started()
}
