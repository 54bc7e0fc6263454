// A right PIN forgives every attempt of its phone, also those made for other accounts.
import { replaceSource } from '../frame/replace-source.ts'

replaceSource([
  {
    file: 'packages/plugins/ussd/src/customers/create-customers.ts',
    find: "{ purpose: 'pin-phone', value: phoneNumber, part: customerId }",
    replace: "{ purpose: 'pin-phone', value: phoneNumber }",
  },
])
