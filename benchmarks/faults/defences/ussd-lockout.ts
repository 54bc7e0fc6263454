// Wrong PINs are counted but do not lock accounts.
import { replaceSource } from '../frame/replace-source.ts'

replaceSource([
  {
    file: 'packages/plugins/ussd/src/customers/lockout.ts',
    find: 'failures < free ? 0 :',
    replace: 'failures < Number.POSITIVE_INFINITY ? 0 :',
  },
])
