/* Special registers by number, and the assembler's bare register names. */
#define DBAT0U 536
#define DBAT1U 538
#define DBAT3U 542
#define DBAT4U 568
#define DBAT5U 570
#define GQR0 912
#define GQR5 917
#define GQR6 918
#define GQR7 919
#define HID2 920
#define HID4 1011
#define DMAU 922
#define DMAL 923
