#!/usr/bin/env bash
# Takes the middle of the road: the action whose numbers add up nearest to the average. It starts no other program.
set -f # words are split below, and no * among them may turn into file names

while read -r line; do
    [[ $line == '{"decision_requested":'* ]] || continue
    actions=${line#*'"legal_actions":['}   # what stands before them is cut off,
    actions=${actions%%']},"bank_ms":'*}   # and what follows them,
    actions=${actions%%'],"events":'*}     # which begins with the news if there are any
    sums=() total=0 choice=0
    for action in ${actions//'},{'/ }; do  # one word for each: there are no spaces between the parts
        sum=0
        for number in ${action//[!0-9]/ }; do ((sum += number)); done
        sums+=("$sum")
        ((total += sum))
    done
    for index in "${!sums[@]}"; do
        distance=$((sums[index] * ${#sums[@]} - total))
        distance=${distance#-}
        if ((index == 0 || distance < nearest)); then choice=$index nearest=$distance; fi
    done
    echo "$choice"
done
