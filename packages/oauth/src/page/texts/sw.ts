import type { PageTexts } from './en.ts'

const daysOf = (count: number): string => (count === 1 ? 'siku 1' : `siku ${count}`)

export const sw: PageTexts = {
  signIn: 'ingia',
  languages: 'Lugha',
  allow: application => `Ruhusu ${application}`,
  question: (application, oracle) => `Ruhusu ${application} kutenda kwa niaba yako kwenye ${oracle}?`,
  application: {
    device: 'kifaa ambacho uliandika msimbo wake',
    console: 'konsoli',
    at: host => `programu iliyo ${host}`,
    local: host => `programu ya kompyuta hii (${host})`,
    app: protocol => `programu ${protocol}`,
  },
  facts: {
    callsItself: 'Inajiita',
    notVerified: '(haijathibitishwa)',
    describedAt: 'Imeelezwa',
    returnsTo: 'Inarudi',
    learns: 'Inajua',
    yourDid: 'DID yako',
    onlyAt: 'Kwa tu',
    begunIn: 'Ilianza kwenye',
    at: 'kwa anwani',
    near: 'kwenye mtandao wa simu hii',
    far: 'kwenye mtandao mwingine tofauti na simu hii',
  },
  needsScript: 'Kuingia kunahitaji JavaScript, kwa sababu kivinjari hiki kina ufunguo wako.',
  itMay: 'Inaweza',
  itMayFor: days => `Kwa ${daysOf(days)} inaweza`,
  duration: 'Kwa',
  days: daysOf,
  byKey: 'Ingia kwa kivinjari hiki',
  withBrowserKey: 'Ruhusu kwa ufunguo wa kivinjari hiki',
  withPhoneKey: 'Ruhusu kwa ufunguo wa simu hii',
  delegation: 'Idhini',
  delegationNeeded: 'Oracle hii inahitaji idhini kwa DID iliyo hapo juu. Ibandike hapa.',
  delegationOptional: 'Ikiwa tu oracle hii inaihitaji.',
  byPhone: 'Au ingia kwa simu yako',
  byPhoneNote: days =>
    `Simu yako inasaini kwa ufunguo wake, na ukurasa huu unaendelea. Kwa simu, programu inapata haki kwa majina badala ya “kila kitu”, bila haki ya kuunda funguo za API, na kwa ${daysOf(days)} zaidi.`,
  showQr: 'Onyesha msimbo wa QR',
  qr: 'Msimbo wa QR wa anwani hii',
  scan: 'Uchanganue kwa simu, au fungua huko anwani hii:',
  thisAddress: 'anwani hii',
  typeNumber: 'Kisha andika nambari hii kwenye simu:',
  byCode: 'Au tumia msimbo wa mara moja',
  codeFrom: 'Msimbo kutoka kwa mwendeshaji:',
  withCode: 'Ruhusu kwa msimbo',
  deny: 'Kataa',
  otherScreen: 'Hii inaipa skrini nyingine haki zako. Ikiwa mtu alikutumia kiungo hiki, funga ukurasa.',
  numberOnScreen: 'Nambari iliyo kwenye skrini yako mwenyewe',
  phoneDone: 'Tayari. Endelea kwenye skrini nyingine, na ufunge ukurasa huu.',
  device: {
    title: 'Ingiza kifaa',
    heading: 'Andika msimbo ambao kifaa chako kinaonyesha',
    warning:
      'Andika tu msimbo wa programu uliyoanzisha mwenyewe. Mtu mwingine anayekutumia msimbo anapata ufikiaji wa data yako.',
    code: 'Msimbo',
    next: 'Endelea',
    allowed: { title: 'Kifaa chako kimeingia', text: 'Funga ukurasa huu, na uendelee kwenye kifaa.' },
    denied: { title: 'Kifaa chako hakina ufikiaji', text: 'Kinaweza kuomba ufikiaji tena.' },
    expired: { title: 'Kifaa chako hakina ufikiaji', text: 'Msimbo umeisha muda. Anza tena kwenye kifaa.' },
    tooMany: 'Misimbo mingi mno imejaribiwa. Subiri dakika moja, kisha ujaribu tena.',
    wrong: 'Msimbo huu si sahihi au umeisha muda. Anza tena kwenye kifaa.',
  },
  failed: {
    title: 'Kuingia kumeshindikana',
    heading: 'Kuingia huku hakuwezi kuendelea',
    note: 'Hakuna ufikiaji uliotolewa. Funga ukurasa huu, na uanze tena kwenye programu.',
  },
  script: {
    rejected: 'Oracle imekataa kuingia.',
    delegation: 'Idhini hairuhusu kuingia hapa. Inahitaji auth/token kwa oracle hii.',
    choose: 'Chagua programu inaweza kufanya nini, au funga ukurasa huu.',
    enterCode: 'Andika msimbo.',
    youAre: 'Wewe ni',
  },
  problems: {
    sign_in_expired:
      'Kuingia huku kumeisha muda, kumekamilika, au ni kwa kivinjari kingine. Anza tena kwenye programu.',
    sign_in_code_invalid: 'Msimbo si sahihi, umeisha muda au umetumika. Omba mpya kwa mwendeshaji.',
    sign_in_attempts: 'Misimbo au nambari nyingi mno zisizo sahihi. Anza tena kwenye programu.',
    sign_in_number_wrong: 'Hii si nambari iliyo kwenye skrini ya kwanza. Ikiwa huna skrini hiyo, funga ukurasa huu.',
    sign_in_not_by_phone: 'Simu haitoi haki yoyote iliyochaguliwa. Chagua nyingine, au ingia kwa kivinjari hiki.',
    sign_in_redirect_refused:
      'Programu inarudi kwenye anwani ambayo oracle hii haikubali tena. Isasishe, na uiunganishe tena.',
    sign_in_scopes_missing: 'Huna haki yoyote iliyochaguliwa. Chagua nyingine, au tumia idhini inayoziruhusu.',
    sign_ins_full: 'Oracle imefikia idadi ya juu ya walioingia. Jaribu tena baadaye.',
    rate_limited: 'Maombi mengi mno. Subiri dakika moja, kisha ujaribu tena.',
  },
  everythingWith: area => `Kila kitu kuhusu: ${area}`,
  scopes: {
    '*': 'Kila kitu unachoweza kufanya hapa',
    'chat/send':
      'Kutuma ujumbe kwa niaba yako, kusoma, kufuata na kusimamisha majibu, kutuma taarifa zake kwa anwani, kuidhinisha au kukataa miito ya zana, na kutumia ' +
      'zana zisizohitaji haki nyingine, kama kurasa za wavuti, msimbo, ujuzi na hali ya hewa',
    'chat/personal':
      'Kuruhusu mazungumzo kutumia data yako binafsi: kusoma na kubadilisha faili, kumbukumbu, kazi na mapendeleo yako, kusoma salio, madai, ' +
      'vitu, vyumba vya Matrix na matokeo ya msimbo, kuwasilisha na kupinga madai, na kusoma na kutuma SMS za simu zako',
    'session/read':
      'Kusoma mazungumzo yako na majibu na muda wake, idhini zinazosubiri, matumizi yako ya tokeni, na uwezo wa oracle',
    'session/inspect': 'Kusoma kinachotumwa kwa modeli katika mazungumzo yako',
    'session/delete': 'Kufuta mazungumzo yako na majibu yaliyohifadhiwa',
    'files/read': 'Kusoma na kutafuta faili zako, na matoleo yake ya awali',
    'files/write': 'Kuongeza, kubadilisha, kurejesha na kufuta faili zako, pia kabisa',
    'memory/read': 'Kusoma na kusafirisha ambayo oracle inakumbuka kukuhusu',
    'memory/write': 'Kuongeza kwenye ambayo oracle inakumbuka kukuhusu',
    'memory/delete': 'Kufuta ambayo oracle inakumbuka kukuhusu',
    'tasks/read': 'Kusoma na kuhakiki kazi zako, na utekelezaji wake',
    'tasks/write': 'Kuunda, kutekeleza, kusitisha, kuendeleza na kughairi kazi zako',
    'user-preferences/read': 'Kusoma mapendeleo yako, kama lugha na saa za eneo',
    'user-preferences/write': 'Kubadilisha mapendeleo yako, kama lugha na saa za eneo',
    'credits/read': 'Kusoma salio lako, matumizi yako na bei',
    'sandbox/read': 'Kusoma matokeo yaliyohifadhiwa ya programu zako',
    'sms/read': 'Kusoma SMS zako, na kuorodhesha simu zako zilizounganishwa',
    'sms/link': 'Kuunganisha simu kwako kwa msimbo, na kuziondoa',
    'sms/send': 'Kutuma SMS kwa simu zako mwenyewe',
    'sms/send-others': 'Kutuma SMS kwa simu yoyote',
    'matrix/read': 'Kuorodhesha vyumba vya Matrix ambako oracle inaweza kuandika kwa niaba yako',
    'matrix/send': 'Kuandika kwenye vyumba vya Matrix kwa niaba yako',
    'claims/read': 'Kusoma madai, na mikusanyiko yake',
    'claims/submit': 'Kuwasilisha madai kwa niaba yako, na kupinga maamuzi juu yake',
    'claims/evaluate':
      'Kutathmini madai, kuthibitisha au kutengua maamuzi, na kumaliza mabishano; dai lililoidhinishwa huwa cheti',
    'claims/manage': 'Kuunda, kubadilisha, kufunga na kufungua mikusanyiko ya madai',
    'credentials/read': 'Kusoma vyeti, na historia ya hali yake',
    'credentials/issue': 'Kutoa vyeti ambavyo oracle inasaini',
    'credentials/revoke': 'Kubatilisha vyeti kabisa, kuvisimamisha na kuvirejesha',
    'entities/read':
      'Kusoma na kutafuta vitu, historia, itifaki, grafu na mabadiliko yake, na kuorodhesha webhooks zako',
    'entities/write': 'Kusajili, kubadilisha, kuhusisha na kuzima vitu kwa niaba yako, na kuongeza na kufuta webhooks',
    'delegation/read': 'Kuorodhesha idhini zako kwa oracle',
    'delegation/keep': 'Kuongeza idhini, ili oracle itende kwa niaba yako kwenye huduma nyingine',
    'delegation/delete': 'Kuondoa idhini zako kwa oracle',
    'sign-in/read': 'Kuorodhesha programu zinazotenda kwa niaba yako',
    'sign-in/delete': 'Kumaliza ufikiaji wa programu zinazotenda kwa niaba yako',
    'api-key/read': 'Kuorodhesha funguo zako za API',
    'api-key/delete': 'Kubatilisha funguo zako za API',
    'api-key/create': 'Kuunda funguo za API zinazotenda kwa niaba yako, pia baada ya kuingia huku kuisha',
    'me/export': 'Kusafirisha data yako yote',
    'me/erase': 'Kufuta data yako yote kabisa',
    'operator/read':
      'Kama mwendeshaji, kusoma hali, kazi, ujumbe unaosubiri, kumbukumbu, vipimo, tahadhari, zamu na matumizi ya tokeni ya oracle hii, uwezo wake, ' +
      'menyu za simu na seva za MCP; kupata watumiaji wote na kusafirisha data yao; kusoma idhini zao zinazosubiri, funguo za API, walioingia, idhini na ' +
      'ubatilishaji, kazi, SMS na salio',
    'operator/write':
      'Kama mwendeshaji, kuingia kama mtumiaji yeyote kwa msimbo wa mara moja, kuunda na kubatilisha funguo za API, kumaliza walioingia na kubatilisha idhini, kufuta watumiaji, kuwakinga na ufutaji, kutoa ' +
      'salio, kutuma tahadhari kwa anwani, kwa simu yako au chumba, kurudia na kughairi kazi na ujumbe, kulinganisha modeli, kuiga SMS, ' +
      'kuunganisha seva za MCP tena, na kuthibitisha zana zake zilizobadilika',
  },
}
