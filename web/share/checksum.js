/** CRC-32 with the polynomial of zip, PNG and Ethernet, reflected (0xEDB88320). */

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte;
  for (let bit = 0; bit < 8; bit++) remainder = (remainder >>> 1) ^ (remainder & 1 ? 0xedb88320 : 0);
  return remainder;
});

/**
 * Finds any single damaged stretch of up to 32 bits, and all but one in 2³² of other accidents. No protection against intent.
 * @param {Uint8Array} bytes
 * @returns {number} an integer from 0 to 2³² − 1
 */
export function crc32(bytes) {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (crc >>> 8) ^ TABLE[(crc ^ byte) & 0xff];
  return ~crc >>> 0;
}
