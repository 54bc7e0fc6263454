// A homeserver repeats, keeps back, relabels and adds answers in encrypted rooms.
import { attacks, bankWorld } from '@sibyl/plugin-matrix/testing/hostile'
import { reportTrial } from '../frame/report-trial.ts'
import { announceOracle } from '../frame/start-oracle.ts'

const paid: string[] = []
for (const { name, due, run } of attacks) {
  await using world = await bankWorld()
  await run(world)
  if (world.payments.length !== due.length) paid.push(`${name}: ${world.payments.join(', ')}`)
}

// Encryption loads its modules in a thread at the first encrypted message.
announceOracle('in process', 'did:example:rooms')
reportTrial({
  tried: { 'attacks on encrypted rooms': attacks.length },
  violations: { 'payments that no one approved': paid },
})
