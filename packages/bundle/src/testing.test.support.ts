export { errorOf, json, TestClient } from '@sibyl/oauth/testing'
export { abilityTextViolations } from './ability-texts.test.support.ts'
export {
  didForms,
  didViolations,
  ownPhoneViolations,
  phoneNumberForms,
  smsCallbackViolations,
  spelledOracle,
  ussdCallbackViolations,
} from './party-forms.test.support.ts'
export { questionWorld } from './question-channels.test.support.ts'
