/** Prefixes of keys and tokens by issuer, with the minimum number of characters that follow. */
const prefixes: readonly (readonly [fewest: number, ...beginnings: string[]])[] = [
  // Models
  [
    20,
    'sk-',
    'sk_',
    'rk_',
    'pk_',
    'rk-',
    'pk-',
    'hf_',
    'api_org_',
    'gsk_',
    'pplx-',
    'r8_',
    'xai-',
    'lsv2_pt_',
    'pcsk_',
  ],
  // Code and packages
  [
    20,
    'ghp_',
    'gho_',
    'ghu_',
    'ghs_',
    'ghr_',
    'github_pat_',
    'sgp_',
    'figd_',
    'sntrys_',
    'sntryu_',
    'squ_',
    'sqp_',
    'sqa_',
  ],
  [16, 'glpat-', 'glptt-', 'gldt-', 'glrt-', 'glrtr-', 'glcbt-', 'glft-', 'glimt-', 'glagent-', 'gloas-', 'glsoat-'],
  [
    16,
    'glffct-',
    'GR1348941',
    'npm_',
    'pypi-',
    'rubygems_',
    'CLOJARS_',
    'dckr_pat_',
    'dckr_oat_',
    'packagist_',
    'bkua_',
  ],
  [16, 'ATATT3', 'ATCTT3', 'ATBB', 'AKCp', 'CCIPAT_', 'PMAK-', 'rdme_', 'lin_api_', 'lin_oauth_', 'ntn_'],
  // Clouds and servers
  [16, 'dop_v1_', 'doo_v1_', 'dor_v1_', 'hvs.', 'hvb.', 'hvr.', 'pul-', 'pscale_tkn_', 'pscale_pw_', 'pscale_oauth_'],
  [
    16,
    'HRKU-',
    'nfp_',
    'sbp_',
    'tskey-',
    'fo1_',
    'fm1a_',
    'fm1r_',
    'fm2_',
    'tk-us-',
    'sha256~',
    'LTAI',
    'pnu_',
    'ops_eyJ',
  ],
  [16, 'GOCSPX-', 'ya29.', '1//0', 'AQVN', 'YCAJ', 'dt0c01.', 'dp.pt.', 'dp.st.', 'dp.ct.', 'dp.sa.', 'endr+'],
  [16, 'glc_', 'glsa_', 'eyJrIjoi', 'NRAK-', 'NRJS-', 'NRAA-', 'NRII-', 'NRIQ-', 'phx_', 'AGE-SECRET-KEY-1', 'ico-'],
  // Messages, mail, shops and payments
  [16, 'xapp-', 'xkeysib-', 'xsmtpsib-', 'SG.', 'shpat_', 'shpca_', 'shppa_', 'shpss_', 'sq0atp-', 'sq0csp-', 'EAAAE'],
  [16, 'whsec_', 'shippo_live_', 'shippo_test_', 'EZAK', 'EZTK', 'FLWSECK', 'FLWPUBK', 'duffel_live_', 'duffel_test_'],
  [16, 'sm_aat_', 'sm_pat_', 'sm_sat_', 'CFPAT-', 'fio-u-', 'tfp_', 'p8e-', 's-s4t2'],
  [10, 'xoxa-', 'xoxb-', 'xoxe-', 'xoxe.', 'xoxo-', 'xoxp-', 'xoxr-', 'xoxs-', 'xoxd-'],
]

const escaped = (text: string): string => text.replace(/[.+*?^$(){}|[\]\\/]/g, '\\$&')

/** A token continues with letters, digits and a few signs, at least one of them a digit; names and words have none. */
const prefixed = prefixes.map(
  ([fewest, ...beginnings]) =>
    new RegExp(
      `(?<![\\w-])(?:${beginnings.map(escaped).join('|')})(?=[\\w.~+/=-]*\\d)[\\w~+/=-][\\w.~+/=-]{${fewest - 1},}`,
    ),
)

/** Keys and tokens without a prefix, or with a fixed length. */
const shaped: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----/,
  /\b(?:AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9])[A-Z0-9]{16}\b/,
  /\bAIza[\w-]{30,}/,
  /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/,
  /\bsibyl_[\w-]{43}/,
  /\b(?:0x)?[0-9a-f]{64}\b/i,
  /\b[xyzt]prv[1-9A-HJ-NP-Za-km-z]{50,}/,
  /\bnsec1[02-9ac-hj-np-z]{50,}/,
  /\b(?:5[HJK][1-9A-HJ-NP-Za-km-z]{49}|[KL][1-9A-HJ-NP-Za-km-z]{51})\b/,
  /\bSK[0-9a-f]{32}\b/,
  /\bkey-[0-9a-f]{32}\b/,
  /\bdapi[0-9a-f]{32}(?:-\d)?\b/,
  /\bAPI-[A-Z0-9]{26}\b/,
  /\b(?:live|test)_(?:(?:pub_)?[0-9a-f]{31,35}|[\w-]{40})\b/,
  /\bpat\.\w{22}\.[0-9a-f]{24}\.\w{20}\b/,
  /\bre_[A-Za-z0-9]{8}_[A-Za-z0-9]{20,}\b/,
  /\bsl\.[\w-]{130,}/,
  /\bt1\.[\w-]+=*\.[\w-]{86}/,
  /\b[0-9a-f]{32}-us\d{1,2}\b/,
  /\b\d{5,16}:A[\w-]{34}\b/,
  /\b[MNO][\w-]{23,25}\.[\w-]{6}\.[\w-]{27,}/,
  /\boy2[a-z0-9]{43}\b/,
  /\bcio[A-Za-z0-9]{32}\b/,
  /\b[a-z0-9]{14}\.atlasv1\.[\w=-]{60,}/i,
  /\bpat[A-Za-z0-9]{14}\.[0-9a-f]{64}\b/,
  /\bA3-[A-Z0-9]{6}-(?:[A-Z0-9]{5,11}-){3,}[A-Z0-9]{5}\b/,
  /[\w.~-]{3}\dQ~[\w.~-]{31,34}(?![\w~-])/,
  /\bEAA[MC][A-Za-z0-9]{20,}/,
  /\baccess-(?:sandbox|development|production)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/,
  /\bhooks\.slack\.com\/(?:services|workflows|triggers)\/[\w/]{20,}/,
  /\b[\w-]+\.webhook\.office\.com\/webhookb2\/[\w@/-]{20,}/,
  /\bdiscord(?:app)?\.com\/api\/webhooks\/\d{10,}\/[\w-]{20,}/,
  /\b[a-z][a-z0-9+.-]*:\/\/[^\s:@/]*:[^\s:@/]{3,}@[\w.-]+/i,
]

/** Forms of keys and tokens, as scanners of public code detect them. */
export const tokenForms: readonly RegExp[] = [...prefixed, ...shaped]
