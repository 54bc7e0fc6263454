import { databaseTemplate } from './database-template.ts'
import type { Trial } from './run-seed.ts'
import { chargingOracle, type Outside, TurnsProcess } from './turns-process.ts'

/** Returns the trial of whole oracles whose turns charge an account. */
export const turnsTrial = async (): Promise<Trial> => ({
  template: await databaseTemplate(async url => {
    const app = await chargingOracle(url, async () => '')
    await app.close()
  }),
  begin(world, server) {
    const outside: Outside = { charges: new Map(), accepted: new Set() }
    const turns = () => server.rows<{ session_id: string; status: string }>('select session_id, status from core_turns')
    world.watch(() => {
      for (const [name, count] of outside.charges) {
        if (count > 1 && world.violations.length === 0)
          world.violate('an effect happens once', `${name}: ${count} times`)
      }
    })
    return {
      create: () => new TurnsProcess(world, outside),
      isAtRest: () => turns().every(({ status }) => status !== 'running'),
      checkEnd() {
        const sessions = new Set(turns().map(({ session_id: id }) => id))
        for (const id of outside.accepted) if (!sessions.has(id)) world.violate('what is acknowledged is stored', id)
        for (const { session_id: id, status } of turns()) {
          if (status === 'running') world.violate('no turn runs for ever', id)
        }
        const calls = server.rows<{ input: string; state: string }>('select input, state from core_tool_calls')
        const states = new Map(calls.map(({ input, state }) => [(JSON.parse(input) as { name: string }).name, state]))
        for (const name of outside.charges.keys()) {
          if (!states.has(name)) world.violate('an effect is stored before it happens', name)
        }
        for (const [name, state] of states) {
          if (state === 'done' && !outside.charges.has(name)) world.violate('a finished call had its effect', name)
        }
      },
    }
  },
})
