/**
 * Colour tables of 256 colours, byte for byte those of matplotlib 3.11, so that the xarray code gives the same colours.
 *
 * Licences: matplotlib's BSD-style licence; cividis by Nunez, Anderton and Renslow, viridis, magma and plasma by van der
 * Walt and Smith, all CC0; turbo by Mikhailov (Google), Apache 2.0; Blues, YlGnBu, RdBu and BrBG of ColorBrewer, Apache
 * 2.0; coolwarm after Moreland.
 */

/** Red, green and blue of each colour, in base64. */
export const COLOUR_BYTES = {
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
  magma:
    "AAADAAAEAAAGAQAHAQEJAQELAgINAgIPAwMRBAMTBAQVBQQXBgUZBwUbCAYdCQcfCgciCwgkDAkmDQooDgoqDwssEAwvEQwxEg0zFA01FQ44Fg46" +
    "Fw88GA8/GhBBGxBEHBBGHhBJHxFLIBFNIhFQIxFSJRFVJhFXKBFZKhFcKxFeLRBgLxBiMBBlMhBnNBBoNQ9qNw9sOQ9uOw9vPA9xPg9yQA9zQg90" +
    "Qw91RQ92Rw93SBB4ShB5SxB5TRF6TxF7UBJ7UhJ8UxN8VRN9VxR9WBV+WhV+WxZ+XRd+Xhd/YBh/YRh/Yxl/ZRqAZhqAaBuAaRyAaxyAbB2Abh6B" +
    "bx6BcR+Bcx+BdCCBdiGBdyGBeSKBeiKBfCOBfiSBfySBgSWBgiWBhCaBhSaBhyeBiSiBiiiBjCmAjSmAjyqAkSqAkiuAlCuAlSyAlyx/mS1/mi1/" +
    "nC5/ni5+ny9+oS9+ozB+pDB9pjF9pzF9qTJ8qzN8rDN7rjR7sDR7sTV6szV6tTZ5tjZ5uDd4uTd4uzh3vTl3vjl2wDp1wjp1wzt0xTx0xjxzyD1y" +
    "yj5yyz5xzT9wzkBw0EFv0UJu00Jt1ENt1kRs10Vr2UZq2kdp3Ehp3Ulo3kpn4Etm4Uxm4k1l5E5k5VBj5lFi51Ji6FRh6lVg61Zg7Fhf7Vlf7lte" +
    "7l1d715d8GBd8WFc8mNc82Vc82db9Ghb9Wpb9Wxb9m5b9nBb93Fb93Nc+HVc+Hdc+Xlc+Xtd+X1d+n9e+oBe+oJf+4Rg+4Zg+4hh+4pi/Ixj/I5j" +
    "/JBk/JJl/JNm/ZVn/Zdo/Zlp/Ztq/Z1r/Z9s/aFu/aJv/aRw/qZx/qhz/qp0/qx1/q52/q94/rF5/rN7/rV8/rd9/rl//ruA/ryC/r6D/sCF/sKG" +
    "/sSI/saJ/seL/smN/suO/c2Q/c+S/dGT/dKV/dSX/daY/dia/dqc/dyd/d2f/d+h/eGj/OOl/OWm/Oao/Oiq/Oqs/Oyu/O6w/PCx/PGz/PO1/PW3" +
    "+/e5+/m7+/q9+/y/",
  plasma:
    "DAeGEAeHEwaJFQaKGAaLGwaMHQaNHwWOIQWPIwWQJQWRJwWSKQWTKwWULQSULwSVMQSWMwSXNASYNgSYOASZOgSaOwOaPQObPwOcQAOcQgOdRAOe" +
    "RQOeRwKfSQKfSgKgTAKhTgKhTwKiUQGiUgGjVAGjVgGjVwGkWQGkWgClXAClXgClXwCmYQCmYgCmZACnZQCnZwCnaACnagCnbACobQCobwCocACo" +
    "cgCocwCodQCodgGoeAGoeQGoewKofAKnfgOnfwOngQSnggSnhAWmhQamhgemiAeliQiliwmkjAqkjgykjw2jkA6jkg+ikxChlRGhlhKglxOgmRSf" +
    "mhWemxeenRidnhmcnxqboBubohyaox2ZpB6YpR+XpyGXqCKWqSOVqiSUrCWTrSaSrieRryiQsCqPsSuPsiyOtC2NtS6Mti+LtzCKuDKJuTOIujSH" +
    "uzWGvDaFvTeEvjiDvzmCwDuBwTyAwj2Awz5/xD9+xUB9xkF8x0J7yER6yUV5ykZ4y0d3zEh2zUl1zkp1z0t00E1z0U5y0U9x0lBw01Fv1FJu1VNt" +
    "1lVt11Zs11dr2Fhq2Vlp2lpo21tn3F1m3F5m3V9l3mBk32Fj32Ji4GRh4WVg4mZg42df42he5Gpd5Wtc5Wxb5m1a525a6HBZ6HFY6XJX6nNW6nRV" +
    "63ZU7HdU7HhT7XlS7XtR7nxQ731P735O8IBN8IFN8YJM8oRL8oVK84ZJ84dI9IlH9IpH9YtG9Y1F9o5E9o9D9pFC95JB95NB+JVA+JY/+Jg++Zk9" +
    "+Zo8+pw7+p06+p86+qA5+6I4+6M3+6Q2/KY1/Kc1/Kk0/Koz/Kwy/K0x/a8x/bAw/bIv/bMu/bUt/bYt/bgs/bkr/bsr/bwq/b4p/cAp/cEo/cMo" +
    "/cQn/cYm/Mcm/Mkm/Msl/Mwl/M4l+9Ak+9Ek+9Mk+tUk+tYk+tgk+dkk+dsk+N0k+N8k9+Ak9+Il9uQl9uUl9ecm9ekm9Oom8+wm8+4m8vAm8vEm" +
    "8fMm8PUl8PYj7/gh",
  turbo:
    "MBI7MRVCMhhKNBtRNR5YNiFfNyNlOCZsOSlyOix5Oy9/PDKFPDWLPTeRPjqWPz2cQEChQEOmQUWrQUiwQku1Q066Q1C+Q1PCRFbHRFjLRVvORV7S" +
    "RWDWRWPZRmbdRmjgRmvjRm3mRnDoRnPrRnXtRnjwRnryRn30Rn/2RoL4RYT5RYf7RYn8RIz9Q479QpH+QZP+QJb+P5j+Ppv+PJ39O6D8OaL8OKX7" +
    "Nqj5NKr4M6z2Ma/1L7HzLbTxK7bvKrntKLvrJr3pJcDmI8LkIcThIMbfHsncHcvaHM3XG8/UGtHSGdPPGNXMGNfKF9nHF9rEF9zCF96/GOC9GOG6" +
    "GeO4GuS2G+W0HeexHuivIOmsIuupJOymJ+2jKe6gLO+dL/CaMvGXNfOUOPSRO/SNP/WKQvaHRveDSviATfl8Ufl5Vfp2WftyXftvYfxsZfxoaf1l" +
    "bf1icf1fdP5ceP5ZfP5WgP5ThP5Qh/5Ni/5Ljv5Ikv5Glf5EmP5Cm/1Anv0+ofw9pPw7pvs6qfs5rPo3rvk3sfg2s/g1tvc1ufU0u/Q0vvM0wPIz" +
    "w/Ezxe8zyO4zyu0zzes0z+o00eg01Oc11uU12OM12uI23eA239424dw349o35dg459c46NU46tM57NE57c8578058Ms68sg688Y69MQ69sI698A5" +
    "+L45+bw5+bo4+rc3+7U3+7M2/LA1/K40/asz/aky/aYx/aMw/qEv/p4u/pst/pgs/ZUr/ZIp/Y8o/Ywn/Ikm/IYk+4Mj+4Ai+n0g+nof+Xce+HQc" +
    "93Eb924a9msY9WgX9GUW82MV8mAU8V0T71oR7lgQ7VUP7FIO6lAN6U0N6EsM5kkL5UYK40QK4kIJ4EAI3j4I3TwH2zoH2TgG1zYG1jQF1DIF0jAF" +
    "0C8Ezi0EyysDySkDxygDxSYCwyQCwCMCviECux8BuR4BthwBtBsBsRkBrhgBrBYBqRUBphQBoxIBoBEBnRABmg4Blw0BlAwBkQsBjgoBiwkBhwgB" +
    "hAcBgQYCfQUCegQC",
  Blues:
    "9/v/9vr+9fn+9Pn+8/j98/j98vf98ff98Pb87/b87/X87vX87fT77PT77PP76/P76vL66fL66PH66PH65/D55vD55e/55O/55O744+744u344e34" +
    "4ez34Oz33+v33uv33er23er23On22+n22uj12uj12ef12Of11+b01+b01uX01eX01OTz1OTz0+Pz0uPz0eLy0eLy0OHyz+HyzuDxzuDxzd/xzN/x" +
    "y97wy97wyt3wyd3wyNzvyNzvx9vvxtvvxdruxNruw9nuwdntwNjtv9jsvtfsvNfru9brutbqudXqt9TqttTptdPptNPostLosdLnsNHnr9HmrdDm" +
    "rNDmq8/lqs/lqM7kp87kps3jpc3jo8zjosviocvioMrhnsrhncngm8jgmsfgmMffl8bflcXfk8TeksPekMLej8HdjcDdi8Ddir/ciL7ch73chbzb" +
    "g7vbgrrbgLnaf7jafbjZe7fZerbZeLXYd7TYdbPYc7LXcrHXcLHXb7DWba/Wa67Waq3VaazVZ6vUZqrUZarTY6nTYqjSYafSYKbRXqXRXaTQXKPQ" +
    "WqPPWaLPWKHOV6DOVZ/NVJ7NU53MUZzMUJvLT5vLTprKTJnKS5jJSpfJSJbIR5XIRpTHRZTHQ5PGQpLGQZHFQJDFP4/EPo7EPY3DPIzDO4vCOorB" +
    "OYnBOIjAN4fANYW/NIS/M4O+MoK+MYG9MIC9L3+8Ln68LX27LHy7K3u6Knq5KXm5KHi4J3e4Jna3JXW3JHS2I3O2InK1IXG1IHC0H2+zHm6yHm2y" +
    "HWyxHGuwG2qvGmmuGmiuGWetGGasF2WrF2SrFmOqFWKpFGGoE2CnE1+nEl6mEV2lEFykD1ujD1qjDlmiDVihDFegDFagC1WfClSeCVOdCFKcCFGc" +
    "CFCaCE+ZCE6XCEyWCEuUCEqSCEmRCEiPCEeOCEaMCEWLCESJCEOICEKGCEGFCECDCD+CCD6ACD1+CDx9CDt7CDp6CDl4CDh3CDd1CDZ0CDVyCDRx" +
    "CDNvCDJuCDFsCDBr",
  YlGnBu:
    "///Z/v7X/f7W/f7V/P7T/P3S+/3R+/3Q+v3O+f3N+fzM+PzL+PzJ9/zI9/vH9vvG9fvE9fvD9PvC9PrB8/q/8/q+8vq98vm88fm68Pm58Pm47/m3" +
    "7/i17vi07viz7fiy7Pex6/ex6vex6fax6Pax5vWx5fWx5PSx4/Sx4vOx4POx3/Ky3vKy3fGy3PGy2vCy2fCy2O+y1++y1u+y1e6y0+6y0u2z0e2z" +
    "0Oyzz+yzzeuzzOuzy+qzyuqzyemzx+mzxui0xOe0wee0v+a0veW0u+S1uOO1tuK1tOG1suC2r9+2rd+2q962qd22pty3pNu3otq3oNm3ndi4m9i4" +
    "mde4l9a4lNW4ktS5kNO5jdK5i9G5idG5h9C6hM+6gs66gM26fsy7fMy7esu7eMq7dsm8dMm8csi8cMe9bsa9bMa9asW9aMS+ZsS+ZMO+Y8K/YcG/" +
    "X8G/XcC/W7/AWb/AV77AVb3BU7zBUbzBT7vBTbrCS7nCSbnCR7jDRbfDQ7fDQbbDQLXDP7TDPrPDPbHDO7DDOq/DOa7DOK3DN6zCNqrCNanCNKjC" +
    "MqfCMabCMKXCL6TCLqLBLaHBLKDBKp/BKZ7BKJ3BJ5vBJprBJZnAJJjAI5fAIZbAIJTAH5PAHpLAHZHAHZC/HY6+HYy+HYu9HYm8HYi7Hoa7HoS6" +
    "HoO5HoG4HoC4Hn63Hny2H3u1H3m0H3i0H3azH3SyH3OxIHGxIHCwIG6vIGyuIGuuIGmtIWisIWarIWSrIWOqIWGpIWCoIV6oIl2nIlumIlqmIlml" +
    "IlelIlakIlWjIlOjIlKiIlGhI0+hI06gI02gI0ufI0qeI0meI0edI0acI0WcI0ObI0KaJEGaJECZJD6ZJD2YJDyXJDqXJDmWJDiVJDaVJDWUJDSU" +
    "JDOSIzKQIjGOITGMIDCKHy+IHi+HHS6FHC2DHCyBGyx/Git9GSp7GCl5Fyl4Fih2FSd0FCdyEyZwEiVuEiRsESRqECNoDyJnDiJlDSFjDCBhCx9f" +
    "Ch9dCR5bCB1ZCB1Y",
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
  BrBG:
    "VDAFVjEFWDIFWjMFXDUFXjYFYTcGYzkGZToGZzsGaTwGbD4Hbj8HcEAHckIHdEMHd0QIeUUIe0cIfUgIf0kIgksJhEwJhk0JiE8JilAJjVEKj1MM" +
    "kVUNk1cOlVkQl1sRmV0Sm18UnWEVn2IXoWQYo2YZpWgbp2ocqWwdq24frXAgr3EisXMjs3UktXcmt3knuXsou30qvX8rv4EtwIMwwYYzwog2xIs5" +
    "xY08xpA/x5JCyZVGypdJy5pMzJ1Pzp9Sz6JV0KRY0adc06lf1Kxi1a5l1rFo2LNr2bZu2rly27t13b543sB738J+4MSB4cWD4seG48iJ48qM5MuO" +
    "5c2R5s6U59CX6NGZ6dOc6tSf69ai7Nek7Nmn7dqq7tyt792v8N+y8eC18uK48+O69OW99ebA9ujD9ejE9enG9enI9erK9erM9evO9evQ9ezS9ezU" +
    "9e3W9e3Y9e7a9e7c9e/e9e/g9fDi9fDk9fHm9fHo9fLq9fLs9fPu9fPw9fTy9fT09PT08vT08PPz7vPy7PPy6/Lx6fLw5/Hw5fHv4/Dv4vDu4PDt" +
    "3u/t3O/s2u7r2e7r1+3q1e3q0+3p0ezo0OzozuvnzOvmyurmyOrlx+rlxOjjwefivubgu+XfueTdtuPcs+LbsODZrd/Yq97WqN3VpdzUotvSoNrR" +
    "ndjPmtfOl9bNlNXLktTKj9PIjNLHidDFhs/EhM7Dgc3BfsvAe8m+eMe8dcW6csO4b8G2bL+0ab2yZ7uwZLiuYbasXrSqW7KoWLCmVa6kUqyiT6qg" +
    "TKeeSaWcRqOaQ6GYQJ+WPZ2UOpuSN5mQNZePMpWNMJOLLpGJLI+HKo2FKIuDJomBJId/IoV9IIN7HoF5HH93Gn52GHx0FnpyFHhwEnZuEHRsDnJq" +
    "DHBoCm5mCGxkBmpiBGhgAmZeAGVdAGNbAGFZAGBXAF5VAFxUAFtSAFlQAFhOAFZMAFRLAFNJAFFHAE9FAE5DAExCAEpAAEk+AEc8AEU6AEQ5AEI3" +
    "AEA1AD8zAD0xADww",
  coolwarm:
    "OkzAO03BPE/DPlHEP1PGQFTHQVbJQljKQ1rMRVvNRl3PR1/QSGDRSWLTS2TUTGbWTWfXTmnYUGvaUWzbUm7cU3DdVXHeVnPgV3XhWHbiWnjjW3nk" +
    "XHvlXX3mX37nYIDoYYLqY4PqZIXrZYbsZ4jtaInuaYvva43wbI7xbZDxb5HycJPzcZT0c5X0dJf1dZj2d5r2eJv3ep34e574fKD5fqH5f6L6gKT6" +
    "gqX7g6b7haj7hqn8h6r8iaz8iq39i679ja/9jrH9kLL+kbP+krT+lLX+lbf+l7j+mLn+mbr+m7v+nLz+nb3+n77+oL/+osD+o8H+pML+psP9p8T9" +
    "qMX9qsb9q8f8rMj8rsn8r8r7sMv7ssv7s8z6tM36ts75t8/5uM/4udD4u9H3vNH2vdL2vtP1wNP1wdT0wtTzw9XyxdXyxtbxx9bwyNfvydfuytju" +
    "zNjtzdnsztnrz9nq0Nrp0dro0trn09vm1dvl1tvk19vi2Nvh2dzg2tzf29ze3Nzd3dzb3tva39vZ4NrX4drW4tnU49nT5NjR5djQ5tfP59bN59bM" +
    "6NXK6dTJ6tPH69PG7NLE7NHD7dDB7c/A7s++786878278My58cu48cq28sm18siz8sey88aw88Wv9MSt9MOr9MKq9cGo9cCn9b+l9r2k9ryi9rug" +
    "9rqf9rmd9rec9raa97WY97OX97KV97GU97CS966R962P9quN9qqM9qmK9qeJ9qaH9qSG9qOE9aGC9aCB9Z5/9J1+9Jt89Jp785h585Z485V28pN1" +
    "8pFz8ZBy8Y5w8I1v8Itt74ls7odq7oZp7YRn7IJm7IBk639j6n1h6ntg6Xle6Hdd53Vc5nRa5nJZ5XBX5G5W42xU4mpT4WhS4GZQ32RP3mJO3WBM" +
    "3F5L21xK2lpI2VhH2FZG11RE1lJD1E9C001A0ks/0Uk+z0Y9zkQ8zUI6zD85yj04yTs3yDg1xjU0xTIzxDAywi0xwSowvyguviMtvB8suxoruRYq" +
    "uBEptg0otQgnswMm",
} as const;

/** Bytes of a reversed table that matplotlib rounds differently, as it reverses the anchors: pairs of place and byte. */
export const REVERSED_BYTES: Partial<
  Record<keyof typeof COLOUR_BYTES, readonly (readonly [number, number])[]>
> = {
  Blues: [[496, 204]],
  YlGnBu: [[271, 135]],
  RdBu: [
    [511, 183],
    [512, 153],
    [562, 142],
    [632, 69],
  ],
  BrBG: [[614, 44]],
};
