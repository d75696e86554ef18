/**
 * Colour tables of 256 colours, byte for byte those of matplotlib 3.11 (BSD licence; cividis by Nunez, Anderton and
 * Renslow, CC0; viridis by van der Walt and Smith, CC0; RdBu of ColorBrewer, Apache 2.0), so that the xarray code gives
 * the same colours.
 */

/** Red, green and blue of each colour, in base64. */
const TABLES = {
  cividis:
    "ACJNACNPACNQACRSACVUACZVACZXACdZAChbAChcACleACpgACpiACtkACxmACxnAC1pAC5rAC9tAC9vADBwADBwADFwADFwBDJwCDNwCzNwDjRw" +
    "ETVvFDZvFjZvGDdvGjhvHDhuHTluHzpuITtuIjtuJDxuJT1tJz1tKD5tKj9tKz9tLEBtLkFsL0JsMEJsMUNsMkRsNERsNUVsNkZsN0ZsOEdsOUhs" +
    "OkhrO0lrPUprPktrP0trQExrQU1rQk1rQ05rRE9rRU9rRlBrR1FrSFFrSVJrSlNrS1RsTFRsTVVsTlZsTlZsT1dsUFhsUVhsUllsU1psVFpsVVtt" +
    "VlxtV11tWF1tWV5tWV9tWl9tW2BuXGFuXWFuXmJuX2NuYGRuYWRvYWVvYmZvY2ZvZGdvZWhwZmlwZ2lwaGpwaGtxaWtxamxxa21xbG1ybW5ybm9y" +
    "bnBzb3BzcHFzcXJzcnN0c3N0dHR1dHV1dXV1dnZ2d3d2eHh2eXh3eXl3enp3e3t3fHt4fXx4fn14f314gH54gX94goB4g4B4hIF4hYJ4hYN4hoN4" +
    "h4R4iIV4iYZ4ioZ4i4d4jIh4jYl4jol4j4p3kIt3kYx3kox3k413lI53lY93lo93l5B2mJF2mZJ2mpN2m5N2nJR2nZV1npZ1n5Z1oJd1oZh0opl0" +
    "o5p0pJp0pZtzppxzp51zqJ5zqZ5yqp9yq6ByrKFxraJxrqJxr6NwsKRwsaVwsqZvs6ZvtKdvtahutqlut6ptuKttuattuqxsu61svK5rva9rvrBq" +
    "v7BqwbFpwrJpw7NoxLRoxbVnxrVnx7ZmyLdlybhlyrlky7pkzLtjzbxizrxiz71h0L5g0r9g08Bf1MFe1cJe1sNd18Nc2MRb2cVa2sZa28dZ3MhY" +
    "3slX38pW4MtV4cxU4sxT481S5M5R5c9Q5tBP6NFO6dJN6tNM69RL7NVK7dZI7tdH79hG8dlE8tpD89pC9NtA9dw/9t09+N47+d86+uA4++E2/eI0" +
    "/eMz/eU0/eY2/ec3",
  viridis:
    "RAFURAJVRANXRQVYRQZaRQhbRglcRgteRgxfRg5hRw9iRxFjRxJlRxRmRxVnRxZpRxhqSBlrSBpsSBxuSB1vSB5wSCBxSCFySCJzSCN0RyV1RyZ2" +
    "Ryd3Ryh4Ryp5Ryt6Ryx7Ri18Ri98RjB9RjF+RTJ/RTR/RTWARTaBRDeBRDmCQzqDQzuDQzyEQj2EQj6FQkCFQUGGQUKGQEOHQESHP0WHP0eIPkiI" +
    "PkmJPUqJPUuJPUyJPE2KPE6KO1CKO1GKOlKLOlOLOVSLOVWLOFaLOFeMN1iMN1mMNlqMNluMNVyMNV2MNF6NNF+NM2CNM2GNMmKNMmONMWSNMWWN" +
    "MWaNMGeNMGiNL2mNL2qNLmuOLmyOLm2OLW6OLW+OLHCOLHGOLHKOK3OOK3SOKnWOKnaOKneOKXiOKXmOKHqOKHqOKHuOJ3yOJ32OJ36OJn+OJoCO" +
    "JoGOJYKOJYONJISNJIWNJIaNI4eNI4iNI4mNIomNIoqNIouNIYyNIY2MIY6MII+MIJCMIJGMH5KMH5OLH5SLH5WLH5aLHpeKHpiKHpmKHpmKHpqJ" +
    "HpuJHpyJHp2IHp6IHp+IHqCHH6GHH6KGH6OGIKSFIKWFIaaFIaeEIqeEI6iDI6mCJKqCJauBJqyBJ62AKK5/Ka9/KrB+K7F9LLF9LrJ8L7N7MLR6" +
    "MrV6M7Z5Nbd4Nrh3OLl2Obl2O7p1Pbt0PrxzQL1yQr5xRL5wRb9vR8BuScFtS8JsTcJrT8NpUcRoU8VnVcZmV8ZlWcdkW8hiXslhYMlgYspfZMtd" +
    "Z8xcacxba81Zbc5YcM5Wcs9VdNBUd9BSedFRfNJPftJOgdNMg9NLhtRJiNVHi9VGjdZEkNZDktdBldc/l9g+mtg8ndk6n9k4oto3pdo1p9szqtsy" +
    "rdwwr9wust0std0rt90put4nvd4mv98kwt8ixd8hx+AfyuAezeAdz+Ec0uEb1OEa1+IZ2uIY3OIY3+MY4eMY5OMY5+QZ6eQZ7OQa7uUb8eUc8+Ue" +
    "9uYf+OYh+uYi/eck",
  RdBu:
    "ZwAfaQAfbAEfbwIgcgMgdQQheAUhewYifgcigQgjhAkjhwokigskjQwlkA0lkw4mlg8mmRAnmxAnnhEnoRIopBMopxQpqhUprRYqsBcqshkrtBwt" +
    "tR8utiEvuCQxuScyuyozvC00vjA2vzI3wDU4wjg6wzs7xT48xkA+x0M/yUZByklCzExDzU9EzlFG0FRH0VdJ01pK1F1L1mBN12JP2GVR2WhT2mpV" +
    "221X3XBZ3nJb33Vd4Hhf4Xth4n1j5IBl5YNo5oVq54hs6Itu6o1w65By7JN07ZZ27ph475t68Z588qB+86OA9KaD9KiG9KqI9ayL9a6O9bCQ9rKT" +
    "9rSW97aY97mb97ue+L2h+L+j+MGm+cOp+cWr+ceu+sqx+sy0+s62+9C5+9K8+9S+/NbB/NjE/dvH/NzI/N3K/N7M/N/O++DQ++HS++LU++PW+uTX" +
    "+uXZ+ufb+ujd+enf+erh+evj+ezl+e3n+O7o+O/q+PDs+PLu9/Pw9/Ty9/X09/b29vb29PX28/X28fT28PP17vP17fL16/H06vH06PD05+/05e7z" +
    "5O7z4u3z4ezz3+zy3uvy3Ory2+nx2enx2Ojx1ufx1efw0+bw0uXw0eXwzuPvzOLuyeHtx9/txN7swt3rv9zrvdrqutnpuNjotdfos9XnsNTmrtPm" +
    "q9LlqdDkp8/kpM7jos3in8vhncrhmsngmMjflcbfk8XekMTdjcLcisDbh77ahLzZgLrYfbjXerbWd7TVdLLTcbDSbq7Ra6zQaKrPZajOYabNXqTM" +
    "W6LLWKDKVZ7JUpzIT5rHTJjGSZbFRpTEQ5PDQZHCQI/BP43APYu/PIq+O4i9OYa8OIS7N4O6NYG5NH+5M324MXy3MHq2L3i1LXa0LHWzK3OyKXGx" +
    "KG+wJ22wJWyvJGquI2itIWasIGSqH2KnHmCkHV6hHFyeGlqbGViYGFaVF1STFlGQFU+NFE2KE0uHEkmEEUeBD0V+DkN7DUB4DD51CzxyCjpvCThs" +
    "CDZpBzRmBjJjBTBh",
  // Not exactly RdBu reversed: matplotlib reverses the anchors, so some bytes round differently.
  RdBu_r:
    "BTBhBjJjBzRmCDZpCThsCjpvCzxyDD51DUB4DkN7D0V+EUeBEkmEE0uHFE2KFU+NFlGQF1STGFaVGViYGlqbHFyeHV6hHmCkH2KnIGSqIWasI2it" +
    "JGquJWyvJ22wKG+wKXGxK3OyLHWzLXa0L3i1MHq2MXy3M324NH+5NYG5N4O6OIS7OYa8O4i9PIq+PYu/P43AQI/BQZHCQ5PDRpTESZbFTJjGT5rH" +
    "UpzIVZ7JWKDKW6LLXqTMYabNZajOaKrPa6zQbq7RcbDSdLLTd7TVerbWfbjXgLrYhLzZh77aisDbjcLckMTdk8XelcbfmMjfmsngncrhn8vhos3i" +
    "pM7jp8/kqdDkq9LlrtPmsNTms9XntdfouNjoutnpvdrqv9zrwt3rxN7sx9/tyeHtzOLuzuPv0eXw0uXw0+bw1efw1ufx2Ojx2enx2+nx3Ory3uvy" +
    "3+zy4ezz4u3z5O7z5e7z5+/06PD06vH06/H07fL17vP18PP18fT28/X29PX29vb29/b29/X09/Ty9/Pw+PLu+PDs+O/q+O7o+e3n+ezl+evj+erh" +
    "+enf+ujd+ufb+uXZ+uTX++PW++LU++HS++DQ/N/O/N7M/N3K/NzI/dvH/NjE/NbB+9S++9K8+9C5+s62+sy0+sqx+ceu+cWr+cOp+MGm+L+j+L2h" +
    "97ue97mb97eZ9rSW9rKT9bCQ9a6O9ayL9KqI9KiG9KaD86OA8qB+8Z5875t67ph47ZZ27JN065By6o5w6Itu54hs5oVq5YNo5IBl4n1j4Xth4Hhf" +
    "33Vd3nJb3XBZ221X2mpV2WhT2GVR12JP1mBN1F1L01pK0VdJ0FRHzlFGzU9FzExDyklCyUZBx0M/xkA+xT48wzs7wjg6wDU4vzI3vjA2vC00uyoz" +
    "uScyuCQxtiEvtR8utBwtshkrsBcqrRYqqhUppxQppBMooRIonhEnmxAnmRAnlg8mkw4mkA0ljQwligskhwokhAkjgQgjfgciewYieAUhdQQhcgMg" +
    "bwIgbAEfaQAfZwAf",
};

/** matplotlib's names; `_r` is reversed. */
export type Colours = keyof typeof TABLES | "cividis_r" | "viridis_r";

/** In the order offered; the first is the default. */
export const COLOURS: readonly Colours[] = [
  ...(["cividis", "cividis_r", "viridis", "viridis_r", "RdBu", "RdBu_r"] as const),
];

/** Whether the middle of the table belongs at 0. */
export const isDiverging = (colours: Colours): boolean => colours.startsWith("RdBu");

export const isColours = (text: string | null): text is Colours =>
  text !== null && (COLOURS as readonly string[]).includes(text);

const made = new Map<Colours, Uint8Array>();

/** @returns 768 bytes: red, green and blue of 256 colours */
export function colourTable(colours: Colours): Uint8Array {
  const known = made.get(colours);
  if (known !== undefined) return known;
  const table =
    colours === "cividis_r" || colours === "viridis_r"
      ? reversed(colourTable(colours === "cividis_r" ? "cividis" : "viridis"))
      : Uint8Array.from(atob(TABLES[colours]), (byte) => byte.charCodeAt(0));
  made.set(colours, table);
  return table;
}

function reversed(table: Uint8Array): Uint8Array {
  return table.map((_, i) => table[table.length - 3 - (i - (i % 3)) + (i % 3)] ?? 0);
}
