// Reads what a person sees of a call at each channel, and says yes where a question is not whole or was not shown.
import { questionWorld } from '@sibyl/bundle/testing'
import { reportTrial } from '../frame/report-trial.ts'
import { announceOracle } from '../frame/start-oracle.ts'

const world = await questionWorld()
const { callsAt, shownAt, missingAt, yesAt, written, acceptedElsewhere } = world
announceOracle('in process', world.did)

const hidden: string[] = []
for (const channel of Object.keys(shownAt)) {
  hidden.push(...(await missingAt(channel)).map(canary => `${channel} ${canary}`))
}
const taken: string[] = []
for (const [channel, answer] of Object.entries(yesAt)) {
  for (const yes of ['yes', 'always']) {
    written.length = 0
    const { code } = await answer(yes)
    if (code !== 'approval_not_shown' || written.length > 0) taken.push(`${channel} ${yes}: ${String(code)}`)
  }
}

reportTrial({
  tried: { channels: Object.keys(shownAt).length, 'tools, each with its arguments': callsAt('/chat').length },
  violations: {
    'arguments that a channel does not show': hidden,
    'a yes to a question that is not whole': taken,
    'a yes to what another channel asked': await acceptedElsewhere(),
  },
})
