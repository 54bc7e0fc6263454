import type { Translation } from '../../i18n/translation.ts'
import type { messages as english } from './en.ts'

export const messages: Translation<typeof english> = {
  title: 'kichunguzi',
  open: 'Fungua kichunguzi',
  description: 'Kinaonyesha vitu na madai ambayo ufunguo wa API wa oracle hii unaweza kusoma.',
  key: 'Ufunguo wa API',
  submit: 'Fungua',
  unknown: 'Oracle hii haiufahamu ufunguo huo. Hakikisha umenakiliwa wote.',
  ended: 'Ufunguo si halali tena. Andika mpya.',
  hint: 'Devnet huonyesha ufunguo wake inapoanza mara ya kwanza, na huuhifadhi katika devnet.json. Oracle nyingine huorodhesha funguo zao katika ENTITIES_API_KEYS. Ufunguo hubaki katika kichupo hiki na hutumwa kwa oracle hii tu.',
  menu: 'Mipangilio',
  forget: 'Sahau ufunguo',
}
