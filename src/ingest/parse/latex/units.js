import { signsByName } from './symbols.js';

/** Units and their prefixes, as siunitx calls them. */
const ROWS = `
metre m meter m second s gram g kilogram kg ampere A kelvin K mole mol candela cd hertz Hz newton N pascal Pa joule J watt W volt V ohm Ω farad F coulomb C tesla T henry H siemens S lumen lm lux lx
celsius °C degreeCelsius °C degree ° percent % bar bar litre l liter l hour h minute min day d tonne t electronvolt eV decibel dB byte B bit bit
kilo k mega M giga G tera T milli m micro µ nano n pico p centi c deci d hecto h per / squared ² cubed ³ square ² cubic ³ of ␣ tothe ^
`;
const UNITS = signsByName(ROWS);

/** Returns a unit as people write it: `\kilo\watt\per\square\metre` is kW/²m, what has no command stays. @param {string} written */
export function unitText(written) {
  return written
    .replace(/\\([A-Za-z]+)\s{0,9}/gu, (_, name) => UNITS.get(name) ?? name)
    .replace(/([²³])(\p{L}{1,3})/gu, '$2$1')
    .replace(/[{}~]/gu, '')
    .trim();
}
