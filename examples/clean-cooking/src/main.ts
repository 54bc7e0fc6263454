import { styleText } from 'node:util'
import { openProgramme } from './open-programme.ts'
import { type Narrator, walk } from './walk.ts'

const inColour = process.stdout.isTTY === true && !process.env.NO_COLOR
let steps = 0

const teller: Narrator = {
  step(title) {
    steps += 1
    console.log(`\n${steps}  ${inColour ? styleText('bold', title) : title}`)
  },
  line: (label, text) => console.log(`   ${label.padEnd(14)}  ${text}`),
}

const programme = await openProgramme()
const stop = async () => {
  await programme.close()
  process.exit(130)
}
process.once('SIGINT', stop)
process.once('SIGTERM', stop)
try {
  await walk(programme, teller)
  console.log('\nAll of it went as it should. The oracle of this programme ends here.')
} catch (error) {
  console.error(`\nThe walk ended early: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
} finally {
  await programme.close()
}
