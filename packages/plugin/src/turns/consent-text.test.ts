import { expect, test } from 'vitest'
import { consentText } from './consent-text.ts'

test('shows the questions, and how to answer them', () => {
  expect(consentText(['Pay 5 €\n\namount: 5', 'Pay 6 €'], 20)).toBe(
    'Pay 5 €\n\namount: 5\n\nPay 6 €\n\nAnswer yes, always or no.',
  )
})

test('counts the characters that are not shown, and asks for no yes', () => {
  expect(consentText(['Pay', `ab😀${'c'.repeat(1_000)}`], 3)).toBe(
    'Pay\n\nab…\n\n1002 more characters are not shown here, so this channel does not accept a yes. ' +
      'Approve the call where all of it is shown, such as in the console under Approvals.\n\nAnswer no to deny it here.',
  )
})
