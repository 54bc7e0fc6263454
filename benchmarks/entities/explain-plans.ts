import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** Prints the plans of all hot requests on a database whose oracle has ended, in a process of their own. */
export const explainPlans = async (settings: Record<string, string>): Promise<void> => {
  const child = spawn(process.execPath, ['--conditions=sibyl-source', join(import.meta.dirname, 'plans.ts')], {
    env: { ...process.env, LOG_LEVEL: 'silent', ...settings },
    stdio: 'inherit',
  })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`the plans ended with ${code}`)
}
