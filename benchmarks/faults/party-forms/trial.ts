// Tries forms of a phone at callbacks of providers and where a person names their own, and those of an oracle's DID where an
// operator names a person.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  didForms,
  didViolations,
  ownPhoneViolations,
  phoneNumberForms,
  smsCallbackViolations,
  spelledOracle,
  ussdCallbackViolations,
} from '@sibyl/bundle/testing'
import { reportTrial } from '../frame/report-trial.ts'
import { announceOracle } from '../frame/start-oracle.ts'

const [seed = 1, count = 1] = process.argv.slice(2).map(Number)
const folder = mkdtempSync(join(tmpdir(), 'sibyl-forms-'))
const oracle = await spelledOracle(folder)
announceOracle('in process', oracle.app.identity.did)
const forms = phoneNumberForms(seed, count)
const violations = {
  'another party by a form of a DID': await didViolations(oracle),
  'another person by a form at an SMS callback': await smsCallbackViolations(forms),
  'another person by a form at a USSD callback': await ussdCallbackViolations(forms),
  'another phone by a form of one’s own': await ownPhoneViolations(forms),
}
await oracle.app.close()
rmSync(folder, { recursive: true, force: true })
reportTrial({
  tried: { 'forms of a phone': forms.length, 'forms of a DID': didForms.length },
  violations,
})
