// For --import: the process says each time that a PIN is compared with that of a customer there is.
import { replaceSource } from '../frame/replace-source.ts'

replaceSource([
  {
    file: 'packages/plugins/ussd/src/customers/create-customers.ts',
    find: 'const isRight = isSameSecret(pin, openPin(vault, row ?? decoy))',
    replace: `if (row) process.send?.({ compared: customerId })
      const isRight = isSameSecret(pin, openPin(vault, row ?? decoy))`,
  },
])
